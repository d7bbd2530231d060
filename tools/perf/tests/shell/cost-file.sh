#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# report --cost: prices against a file of known slopes, extra misses and their time by hand arithmetic.
. "$(dirname "$0")/lib/tap.sh"
need_migstat
need_cmd python3 jq
report=("$PERF_MIGSTAT" report)
data=$MIG_TEST_DATA/lab-riscv/grp-n4/g-swap48.data
cd "$T_TMP" || exit 1

# l1.data: the same counts under the name of an event that counts lines; cost files of known slopes
python3 - "$data" <<'PY'
import json
import struct
import sys

d = bytearray(open(sys.argv[1], "rb").read())
size, at, length = struct.unpack_from("<QQQ", d, 16)
for o in range(at, at + length, size):
    kind, _, config = struct.unpack_from("<IIQ", d, o)
    if (kind, config) == (3, 0x10003):  # dTLB load misses become L1D load misses
        struct.pack_into("<Q", d, o + 8, 0x10000)
open("l1.data", "wb").write(d)


def point(pattern, lines, cost, lo, warm):
    return {"size": lines * 64, "pattern": pattern, "pages": "4k", "lines": lines,
            "figures": [{"mode": 1, "stay_ns": {"median": warm * lines}, "cost_ns": cost, "cost_lo_ns": lo}]}


def cost(distance, seq, rnd):
    lines = [64, 512, 4096, 32768, 262144]
    points = []
    for pattern, ns in (("seq", seq), ("random", rnd)):
        for n in lines:
            own = n <= 32768  # 2 MiB: the last size before warm lines become slower
            points.append(point(pattern, n, 700 + ns * n if own else 5e7, 1, 1 if own else 9))
    points.append(point("random", 1 << 24, None, None, 9))  # no sample
    points.append(point("2005-six", 64, 1e6, 1, 1))
    return {"cpus": [0, 1], "distance": distance, "modes": [{"mode": 1}], "points": points}


def write(name, pairs, **more):
    json.dump({"schema": "migstat.cost/1", "method": "move", "pairs": pairs, **more}, open(name, "w"))


write("llc.json", [cost("llc", 2, 30)])
write("both.json", [cost("llc", 2, 30), cost("node", 7, 7)], cpu="a machine")
write("node.json", [cost("node", 7, 90)])
unclear = cost("llc", 2, 30)
for p in unclear["points"]:
    p["figures"][0]["cost_lo_ns"] = -1
write("unclear.json", [unclear])
json.dump({"schema": "migstat.cost/1", "method": "switch", "points": []}, open("switch.json", "w"))
open("cut.json", "w").write(open("llc.json").read()[:200])
PY

t_ok "a report" sh -c '"$@" >out' sh "${report[@]}" --stdio -i l1.data --cost llc.json --by task
t_is "the prices are the slopes" "$(grep -A1 '^Fetching' out)" "Fetching a line again takes 2-30 ns (llc)
  measured: llc.json"
t_like "of two distances" "$("${report[@]}" --stdio -i l1.data --cost both.json)" \
	'^Fetching a line again takes 2-30 ns \(llc\), 7 ns \(node\)$'
t_ok "JSON" sh -c '"$@" >out.json' sh "${report[@]}" --json -i l1.data --cost llc.json --by task
# misses per ms moved minus stayed, times the mean slice moved, times the price
t_is "extra misses and their time, by hand" "$(jq -c '[.rows[] | select(.extra.misses != null) |
	((.moved.rate - .stayed.rate) * .moved.run_ns / 1e6 / .moved.n) as $x |
	[(.extra.misses / $x * 1e3 | round), (.extra.lo_ns - 2 * $x | fabs < 2), (.extra.hi_ns - 30 * $x | fabs < 40)]] |
	unique' out.json)" '[[1000,true,true]]'
t_is "of both that swap" "$(jq -r '[.rows[] | select(.extra.misses > 40) | .comm] | sort | join(" ")' out.json)" \
	"sw48-a sw48-b"
t_is "moves over a distance without a price have no time" "$("${report[@]}" --json -i l1.data \
	--cost node.json --by task | jq -c '[.rows[].extra | .lo_ns, .hi_ns] | unique')" "[null]"
t_is "no file, no prices in JSON" "$("${report[@]}" --json -i l1.data | jq '[.rows[] | has("extra")] | any')" false
t_like "misses without lines have no price" "$("${report[@]}" --stdio -i "$data" --cost llc.json 2>&1)" \
	"^No time for extra misses: its misses are none of cache lines\.$"
t_like "JSON is warned of" "$("${report[@]}" --json -i "$data" --cost llc.json 2>&1 >/dev/null)" \
	"^Warning: --cost: extra misses get no time: its misses"
t_is "and has no time" "$("${report[@]}" --json -i "$data" --cost llc.json --by task 2>/dev/null |
	jq -c '[.rows[].extra.lo_ns] | unique')" "[null]"
t_like "extra misses need no file" "$("${report[@]}" --stdio -i "$data" --by task -F comm,extra)" '^sw48-a +[0-9]+'

t_like "a column of time needs it" "$("${report[@]}" -i l1.data -F +extra-hi 2>&1)" "^Error: --fields .*what a line costs"
t_rc "as a wrong use" 129 "${report[@]}" -i l1.data -F +extra-hi
for bad in unclear:'no cost of a line in it is clear' switch:'not a file of perf migstat cost' cut:'line 1: not JSON' \
	none:'No such file'; do
	t_like "${bad%%:*}.json is refused" "$("${report[@]}" --stdio -i l1.data --cost "${bad%%:*}.json" 2>&1)" \
		"^Error: ${bad%%:*}\.json: .*${bad#*:}"
	t_rc "${bad%%:*}.json: exit code" 1 "${report[@]}" --stdio -i l1.data --cost "${bad%%:*}.json"
done
t_done
