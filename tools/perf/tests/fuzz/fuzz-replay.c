// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz-replay: main() of a fuzz target without libFuzzer. Arguments are inputs, or folders of them;
 * each is run once and must be done within 10 s and 1 GB. Prints how many there were.
 */
#include "fuzz.h"

#include <dirent.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define MAX_SECONDS 10
#define MAX_KB      (1L << 20)

static unsigned nr_inputs;

static void run_file(const char *path)
{
	struct rusage ru;
	uint8_t *data;
	size_t size;
	FILE *fp = fopen(path, "r");
	struct stat st;

	if (!fp || fstat(fileno(fp), &st)) {
		perror(path);
		exit(1);
	}
	/* exactly as long as the input, so that a sanitizer sees a read behind it */
	data = malloc(st.st_size ? (size_t)st.st_size : 1);
	size = data ? fread(data, 1, (size_t)st.st_size, fp) : 0;
	fclose(fp);
	fprintf(stderr, "%s\n", path); /* the last line names the culprit */
	alarm(MAX_SECONDS);
	LLVMFuzzerTestOneInput(data, size);
	alarm(0);
	free(data);
	nr_inputs++;
	getrusage(RUSAGE_SELF, &ru);
	if (ru.ru_maxrss > MAX_KB) {
		fprintf(stderr, "%ld KB of memory\n", ru.ru_maxrss);
		exit(1);
	}
}

static void run_dir(const char *path)
{
	struct dirent **names;
	char file[PATH_MAX];
	int i, n = scandir(path, &names, NULL, alphasort);

	if (n < 0) {
		perror(path);
		exit(1);
	}
	for (i = 0; i < n; i++) {
		snprintf(file, sizeof(file), "%s/%s", path, names[i]->d_name);
		if (names[i]->d_name[0] != '.')
			run_file(file);
		free(names[i]);
	}
	free(names);
}

int main(int argc, char **argv)
{
	struct stat st;

	for (int i = 1; i < argc; i++) {
		if (!stat(argv[i], &st) && S_ISDIR(st.st_mode))
			run_dir(argv[i]);
		else
			run_file(argv[i]);
	}
	printf("%u inputs\n", nr_inputs);
	return 0;
}
