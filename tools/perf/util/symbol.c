// SPDX-License-Identifier: GPL-2.0
/*
 * symbol: the table of kernel functions, its lookup, and the kallsyms text it is read from.
 *
 * A kallsyms has 100,000 to 250,000 lines and is read before anything is shown: the text is parsed
 * as it streams in, only functions are kept, and since it is nearly sorted, so are they.
 */
#include "symbol-int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "symbol.h"

/* No function is longer; an address farther behind is in a hole, or in data. */
#define MAX_FUNCTION (1024 * 1024)
/* Below are absolute symbols and offsets of per-CPU data, never code. */
#define MIN_ADDRESS 4096

static bool name__is(const char *name, size_t len, const char *want)
{
	return len == strlen(want) && !memcmp(name, want, len);
}

static bool name__starts(const char *name, size_t len, const char *prefix)
{
	return len >= strlen(prefix) && !memcmp(name, prefix, strlen(prefix));
}

static bool name__ends(const char *name, size_t len, const char *suffix)
{
	size_t slen = strlen(suffix);

	return len >= slen && !memcmp(name + len - slen, suffix, slen);
}

/*
 * Bounds of sections share their address with a function (__softirqentry_text_start with
 * __do_softirq) but name none.
 */
static bool name__is_bound(const char *name, size_t len)
{
	if (*name != '_')
		return false;
	return name__ends(name, len, "text_start") || name__ends(name, len, "text_end") ||
	       name__ends(name, len, "_text") || name__ends(name, len, "_stext") ||
	       name__ends(name, len, "_etext") || name__ends(name, len, "_sinittext") ||
	       name__ends(name, len, "_einittext");
}

/* Of several names of one address: a global one, then a local one, then a weak one; fewest '_'. */
static uint8_t name__rank(char type, const char *name, size_t len)
{
	uint8_t rank = type == 'T' ? 0 : type == 't' ? 16 : 32;
	size_t scores = 0;

	if (name__is_bound(name, len))
		return 255;
	while (scores < 15 && scores < len && name[scores] == '_')
		scores++;
	/* the 32-bit entry of a system call without arguments is the 64-bit one */
	return rank + scores + name__starts(name, len, "__ia32_");
}

/* realloc() to twice the size or more; false when out of memory. */
static bool array__grow(void **array, size_t *max, size_t need, size_t size)
{
	size_t more = *max ? *max : 4096;
	void *p;

	if (need <= *max)
		return true;
	while (more < need)
		more *= 2;
	p = realloc(*array, more * size);
	if (!p)
		return false;
	*array = p;
	*max = more;
	return true;
}

int symtab__add(struct symtab *st, uint64_t addr, char type, const char *name, size_t len,
		bool module)
{
	const char *dot = len > 2 ? memchr(name + 2, '.', len - 2) : NULL;
	void *syms = st->syms;

	if (dot)
		len = dot - name;
	/* labels and marks of the assembler; paddings before functions */
	if (!len || *name == '$' || name__starts(name, len, ".L") ||
	    name__starts(name, len, "__pfx_") || name__starts(name, len, "__cfi_"))
		return 0;
	if (!module && name__is(name, len, "_text"))
		st->text = addr;
	else if (!module && name__is(name, len, "_stext"))
		st->stext = addr;
	if (st->names_len > UINT32_MAX - len - 1)
		return -ENOMEM;
	if (!array__grow(&syms, &st->max, st->nr + 1, sizeof(*st->syms)))
		return -ENOMEM;
	st->syms = syms;
	syms = st->names;
	if (!array__grow(&syms, &st->names_max, st->names_len + len + 1, 1))
		return -ENOMEM;
	st->names = syms;
	st->syms[st->nr++] =
		(struct sym){ addr, (uint32_t)st->names_len, name__rank(type, name, len), module };
	memcpy(st->names + st->names_len, name, len);
	st->names[st->names_len + len] = '\0';
	st->names_len += len + 1;
	return 0;
}

static int sym__cmp(const void *va, const void *vb)
{
	const struct sym *a = va, *b = vb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

void symtab__finish(struct symtab *st)
{
	bool sorted = true;
	size_t nr = 0;
	void *p;

	for (size_t i = 1; i < st->nr && sorted; i++)
		sorted = sym__cmp(&st->syms[i - 1], &st->syms[i]) < 0;
	if (!sorted)
		qsort(st->syms, st->nr, sizeof(*st->syms), sym__cmp);
	for (size_t i = 0; i < st->nr; i++) {
		if (!nr || st->syms[nr - 1].addr != st->syms[i].addr)
			st->syms[nr++] = st->syms[i];
	}
	st->nr = nr;
	p = nr ? realloc(st->syms, nr * sizeof(*st->syms)) : NULL;
	if (p)
		st->syms = p;
	p = st->names_len ? realloc(st->names, st->names_len) : NULL;
	if (p)
		st->names = p;
}

/* One line "ffffffff81000000 T _stext" or "... t foo\t[module]"; others are skipped. */
struct kallsyms {
	struct symtab *st;
	size_t lines, zeros;
};

static int kallsyms__line(struct kallsyms *ks, const char *line, const char *end)
{
	const char *pos = line, *name, *tab;
	uint64_t addr = 0;
	char type;

	for (; pos < end && *pos != ' '; pos++) {
		unsigned digit = (unsigned char)*pos;

		digit = digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
		if (digit > 15)
			return 0;
		addr = addr << 4 | digit;
	}
	if (pos == line || pos - line > 16 || end - pos < 4 || pos[2] != ' ')
		return 0;
	type = pos[1];
	ks->lines++;
	ks->zeros += !addr;
	if ((type != 'T' && type != 't' && type != 'W' && type != 'w') || addr < MIN_ADDRESS)
		return 0;
	name = pos + 3;
	tab = memchr(name, '\t', end - name);
	return symtab__add(ks->st, addr, type, name, (tab ? tab : end) - name, tab);
}

static int kallsyms__read(struct kallsyms *ks, gzFile file)
{
	static const size_t size = 256 * 1024;
	char *buf = malloc(size), *pos, *newline;
	size_t len = 0;
	int ret = buf ? 0 : -ENOMEM, got;

	while (!ret) {
		got = gzread(file, buf + len, size - len);
		if (got <= 0) {
			ret = got < 0 ? -EIO : 0;
			break;
		}
		len += got;
		pos = buf;
		while (!ret && (newline = memchr(pos, '\n', buf + len - pos))) {
			ret = kallsyms__line(ks, pos, newline);
			pos = newline + 1;
		}
		/* a line that fills the buffer is no line of a kallsyms */
		if (pos == buf && len == size)
			ret = -EINVAL;
		len -= pos - buf;
		memmove(buf, pos, len);
	}
	if (!ret && len)
		ret = kallsyms__line(ks, buf, buf + len);
	free(buf);
	return ret;
}

int symtab__load_kallsyms(struct symtab *st, const char *path)
{
	struct kallsyms ks = { .st = st };
	gzFile file;
	int ret;

	errno = 0;
	file = gzopen(path, "rbe");
	if (!file)
		return errno ? -errno : -ENOMEM;
	gzbuffer(file, 128 * 1024);
	ret = kallsyms__read(&ks, file);
	/* a gzip file that was cut reads like a shorter one, but for this */
	if (gzclose(file) != Z_OK && !ret)
		ret = -EIO;
	if (!ret && ks.lines && ks.lines == ks.zeros)
		return -EACCES;
	if (!ret && !st->nr)
		return -EINVAL;
	if (!ret)
		symtab__finish(st);
	return ret;
}

const char *symtab__name(const struct symtab *st, uint64_t addr)
{
	size_t low = 0, high;

	if (!st)
		return NULL;
	addr -= st->shift;
	/* the last symbol at or below addr is syms[low - 1] */
	for (high = st->nr; low < high;) {
		size_t mid = low + (high - low) / 2;

		if (st->syms[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || addr - st->syms[low - 1].addr > MAX_FUNCTION)
		return NULL;
	return st->names + st->syms[low - 1].name;
}

bool symtab__has(const struct symtab *st, const char *name)
{
	for (size_t i = 0; st && i < st->nr; i++) {
		if (!strcmp(st->names + st->syms[i].name, name))
			return true;
	}
	return false;
}

const char *symtab__origin(const struct symtab *st)
{
	return st->origin;
}

void symtab__delete(struct symtab *st)
{
	if (!st)
		return;
	free(st->syms);
	free(st->names);
	free(st->origin);
	free(st);
}
