// SPDX-License-Identifier: GPL-2.0
/*
 * unit-perfdata-odd: the reader on recordings that are written here because no recorder at hand
 * makes them: killed, cut and damaged ones, attrs of a perf to come, the old magic, COMPRESSED2.
 */
#include "perfdata-tests.h"

/* The recorder never came to fill in the size of the records. */
static void check_killed(void)
{
	struct perfdata *pd;
	struct outcome o;
	uint8_t *buf;
	size_t n;

	buf = slurp(made("base"), &n);
	n = get64(buf + 40) + get64(buf + 48);
	put64(buf + 48, 0);
	o = read_all(spill(buf, n), &pd);
	ok(!o.open_rc && !o.next_rc && o.samples == 31, "killed recorder: all records");
	ok(perfdata__nr_warnings(pd) == 1 && strstr(perfdata__warning(pd, 0), "killed"), "  with a "
											 "warning");
	perfdata__delete(pd);
	o = read_all(spill(buf, n - 5), NULL);
	is_int(o.next_rc, -EIO, "  cut inside its last record: error");
	free(buf);
}

/* An attr of a perf to come: 8 bytes longer than any now, and not zero there. */
static void check_future_attr(void)
{
	uint64_t at, entry, nr;
	struct outcome o;
	uint8_t *buf;
	size_t n;

	buf = slurp(made("attr_v8"), &n);
	at = get64(buf + 24);
	entry = get64(buf + 16);
	nr = get64(buf + 32) / entry;
	put64(buf + 24, n);
	put64(buf + 16, entry + 8);
	put64(buf + 32, nr * (entry + 8));
	for (uint64_t i = 0; i < nr; i++) {
		memcpy(buf + n, buf + at + i * entry, entry - 16);
		buf[n + 4] = (uint8_t)(entry - 8); /* attr.size */
		memset(buf + n + entry - 16, 0xa5, 8);
		memcpy(buf + n + entry - 8, buf + at + (i + 1) * entry - 16, 16);
		n += entry + 8;
	}
	o = read_all(spill(buf, n), NULL);
	ok(!o.open_rc && !o.next_rc && o.samples == 31 && !o.orphans, "attrs of a perf to come");
	free(buf);
}

/* Old magic: the same layout, byte order guessed. */
static void check_old_magic(void)
{
	struct outcome o;
	uint8_t *buf;
	size_t n;

	buf = slurp(made("base"), &n);
	memcpy(buf, "PERFFILE", 8);
	o = read_all(spill(buf, n), NULL);
	ok(!o.open_rc && !o.next_rc && o.samples == 31, "PERFFILE magic");
	free(buf);
	buf = slurp(made("base_be"), &n);
	memcpy(buf, "PERFFILE", 8);
	o = read_all(spill(buf, n), NULL);
	ok(!o.open_rc && !o.next_rc && o.samples == 31, "PERFFILE magic, big-endian");
	free(buf);
}

/* Appends a record to pipe data. */
static size_t add_record(uint8_t *buf, size_t n, uint32_t type, uint16_t size, const void *body,
			 size_t body_size)
{
	memcpy(buf + n, &type, 4);
	memset(buf + n + 4, 0, 2);
	memcpy(buf + n + 6, &size, 2);
	memcpy(buf + n + 8, body, body_size);
	return n + 8 + body_size;
}

static void check_odd_records(void)
{
	static const uint8_t zeros[256];
	uint64_t aux[6] = { 104 };
	struct outcome o;
	size_t n, base;
	uint8_t *buf;

	buf = slurp(made("base_pipe"), &base);
	n = add_record(buf, base, 4242, 24, zeros, 16);
	n = add_record(buf, n, 68, 8, zeros, 0);
	o = read_all(spill(buf, n), NULL);
	ok(!o.next_rc && o.rounds == 5, "a record of unknown type is passed over");
	n = add_record(buf, base, 71, 56, aux, sizeof(aux));
	memset(buf + n, 0xff, 104);
	n = add_record(buf, n + 104, 68, 8, zeros, 0);
	o = read_all(spill(buf, n), NULL);
	ok(!o.next_rc && o.rounds == 5, "the data behind AUXTRACE is skipped");
	aux[0] = UINT64_MAX;
	n = add_record(buf, base, 71, 56, aux, sizeof(aux));
	o = read_all(spill(buf, n), NULL);
	ok(o.next_rc == -EIO && o.samples == 31, "AUXTRACE with more data than the file");
	n = add_record(buf, base, 9, 7, zeros, 32);
	o = read_all(spill(buf, n), NULL);
	ok(o.next_rc == -EINVAL && o.samples == 31 &&
		   strstr(o.err.msg, fmt_path("offset %#zx", base)),
	   "a record of size 7 is an error with its offset");
	n = add_record(buf, base, 83, 0, &(uint64_t){ 70000 }, 8);
	o = read_all(spill(buf, n), NULL);
	ok(o.next_rc == -EINVAL && o.samples == 31, "COMPRESSED2 longer than can be");
	n = add_record(buf, base, 81, 40, "no zstd frame, only text.......", 32);
	o = read_all(spill(buf, n), NULL);
	ok(o.next_rc < 0 && o.samples == 31, "COMPRESSED that is none (%s)", o.err.msg);
	n = add_record(buf, base, 9, 5000, "[ perf record: Woken up 1 times to write data ]", 48);
	memmove(buf + base, buf + base + 8, 48);
	o = read_all(spill(buf, base + 48), NULL);
	ok(o.next_rc < 0 && strstr(o.err.hint, "2>&1"), "perf's messages inside the recording");
	free(buf);
}

/*
 * COMPRESSED records made by hand: a zstd frame of stored blocks, which needs no compressor. perf
 * never ends its frame; each record adds blocks to it.
 */
static size_t add_zstd_start(uint8_t *out)
{
	/* magic, no content size, window of 1 MiB */
	memcpy(out, "\x28\xb5\x2f\xfd\x00\x50", 6);
	return 6;
}

static size_t add_zstd_block(uint8_t *out, const uint8_t *in, size_t n)
{
	out[0] = (uint8_t)(n << 3);
	out[1] = (uint8_t)(n >> 5);
	out[2] = (uint8_t)(n >> 13);
	memcpy(out + 3, in, n);
	return n + 3;
}

/* Records in two COMPRESSED ones, cut at split; between the two an uncompressed one. */
static size_t add_straddling(uint8_t *buf, size_t n, const uint8_t *recs, size_t size, size_t split)
{
	uint8_t body[512];
	size_t len = add_zstd_start(body);

	len += add_zstd_block(body + len, recs, split);
	n = add_record(buf, n, 81, (uint16_t)(8 + len), body, len);
	n = add_record(buf, n, PERF_REC_FINISHED_ROUND, 8, body, 0);
	len = add_zstd_block(body, recs + split, size - split);
	return add_record(buf, n, 81, (uint16_t)(8 + len), body, len);
}

static void check_compressed(void)
{
	size_t base, n, wrong = 0;
	uint8_t *buf, *big, recs[64] = { 0 };
	struct outcome o;

	buf = slurp(made("base_pipe"), &base);
	buf = realloc(buf, base + 80000);
	n = add_record(recs, 0, 4242, 24, recs + 32, 16);
	n = add_record(recs, n, PERF_REC_FINISHED_ROUND, 8, recs + 32, 0);
	for (size_t split = 1; split < n; split++) {
		o = read_all(spill(buf, add_straddling(buf, base, recs, n, split)), NULL);
		if (no_zstd(&o)) {
			skip("COMPRESSED", "built without zstd");
			free(buf);
			return;
		}
		wrong += o.next_rc || o.records != 37 + 3 || o.rounds != 6;
	}
	is_int(wrong, 0, "records that straddle two COMPRESSED ones, split at every byte");
	o = read_all(spill(buf, add_straddling(buf, base, recs, n - 3, 9)), NULL);
	ok(o.next_rc == -EIO && o.rounds == 5 && strstr(o.err.msg, "compressed"), "compressed data "
										  "that end inside "
										  "a record");

	/* 16 + 65513 bytes are padded to 65536: the u16 says 0 */
	big = calloc(1, 65536);
	for (size_t i = 0; i < 65504; i += 8)
		add_record(big, i, PERF_REC_FINISHED_ROUND, 8, recs, 0);
	n = add_record(buf, base, 83, 0, &(uint64_t){ 65504 + 9 }, 8);
	n += add_zstd_start(buf + n);
	n += add_zstd_block(buf + n, big, 65504);
	memset(buf + n, 0, base + 65536 - n);
	n = add_record(buf, base + 65536, PERF_REC_FINISHED_ROUND, 8, recs, 0);
	o = read_all(spill(buf, n), NULL);
	ok(!o.next_rc && o.rounds == 4 + 65504 / 8 + 1, "COMPRESSED2 whose size wrapped to 0");
	free(big);
	free(buf);
}

/* Cuts at every length, and single damaged bytes: an error or not, never a crash or a hang. */
static void check_every_cut(const char *name)
{
	uint64_t max = 0, errors = 0, silent = 0;
	uint8_t *buf;
	size_t n;

	buf = slurp(made(name), &n);
	for (size_t cut = 0; cut < n; cut += 31) {
		struct outcome o = read_all(spill(buf, cut), NULL);

		max = o.samples > max ? o.samples : max;
		errors += o.open_rc || o.next_rc;
		silent += (o.open_rc || o.next_rc) && !o.err.msg[0];
	}
	ok(max == 31 && errors && !silent, "%s: cut every 31 bytes", name);
	silent = 0;
	for (size_t i = 0; i < n; i += 7) {
		uint8_t old = buf[i];
		struct outcome o;

		buf[i] ^= (uint8_t)(1U << i % 8);
		o = read_all(spill(buf, n), NULL);
		silent += (o.open_rc || o.next_rc) && !o.err.msg[0];
		buf[i] = 0xff;
		o = read_all(spill(buf, n), NULL);
		silent += (o.open_rc || o.next_rc) && !o.err.msg[0];
		buf[i] = old;
	}
	is_int(silent, 0, "  every 7th byte damaged");
	free(buf);
}

/* 32-bit big-endian machines wrote the feature bits as u32 words. */
static void check_feature_words(void)
{
	struct perfdata *pd;
	uint8_t *buf;
	size_t n;

	buf = slurp(made("base_be"), &n);
	for (size_t at = 72; at < 104; at += 8)
		put64(buf + at, get64(buf + at) << 32 | get64(buf + at) >> 32);
	read_all(spill(buf, n), &pd);
	is_str(perfdata__env(pd)->hostname, "madehost", "feature bits in words of 32-bit");
	is_int(perfdata__nr_warnings(pd), 0, "  and nothing amiss");
	perfdata__delete(pd);
	free(buf);
}

int main(void)
{
	tests__make_dir();
	check_killed();
	check_future_attr();
	check_old_magic();
	check_feature_words();
	check_odd_records();
	check_compressed();
	check_every_cut("base");
	check_every_cut("base_be");
	check_every_cut("base_pipe");
	tests__remove_dir();
	return done_testing();
}
