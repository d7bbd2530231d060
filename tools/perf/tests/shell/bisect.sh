#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# bisect: a repository of 20 commits with a known bad one, found by git bisect run; commits that fail are skipped;
# what cannot work stops git.
. "$(dirname "$0")/lib/tap.sh"
need_migstat
need_cmd perf git python3
perf stat -e cpu-migrations true >/dev/null 2>&1 || t_skip_all "perf stat cannot count here"
cd "$T_TMP" || exit 1
export HOME=$T_TMP GIT_CONFIG_NOSYSTEM=1
value=(--value 'rate: ([0-9.]+)' --better lower --no-monitor)

# load RATE: a load whose rate scatters by 6%
load()
{
	# shellcheck disable=SC2016 # for the load's own shell
	echo 'echo "rate: $(('"$1"' + $(od -An -N1 -tu1 /dev/urandom) % 60))"'
}

mkdir repo
cd repo || exit 1
git init -q . && git config user.name t && git config user.email t@example.com
for i in $(seq 20); do
	if [ "$i" -eq 9 ]; then
		echo 'exit 1' >load.sh
	else
		load $((i < 14 ? 1000 : 1100)) >load.sh
	fi
	echo "$i" >n
	git add . && git commit -q -m "commit $i"
done
head=$(git rev-parse HEAD)
git tag bad && git tag good HEAD~19
git checkout -q good
t_rc "the good end" 0 "$PERF_MIGSTAT" stat -r 10 "${value[@]}" -o ../good -- sh load.sh
git checkout -q bad
t_rc "the bad end" 0 "$PERF_MIGSTAT" stat -r 10 "${value[@]}" -o ../bad -- sh load.sh

bisect=("$PERF_MIGSTAT" bisect --good ../good --bad ../bad "${value[@]}")
git bisect start bad good >/dev/null 2>&1
git bisect run "${bisect[@]}" -o ../all -- sh load.sh >../log 2>&1
t_is "git bisect run finds commit 14" "$(git log -1 --format=%s bisect/bad)" "commit 14"
t_like "and says so" "$(cat ../log)" '^'"$(git rev-parse bad~6)"' is the first bad commit'
git bisect reset >/dev/null 2>&1
t_is "back where it was" "$(git rev-parse HEAD)" "$head"
t_like "the runs are kept by their commit" "$(cat ../all)" '"name":"[0-9a-f]{12}"'
# other metrics of these runs may change, too: how long a load took does on a busy machine
t_is "the series has a first bad of the value" "$("$PERF_MIGSTAT" compare --series --primary value \
	../good ../all ../bad | grep -A 1 'is the first bad$' | grep -c '^  value ')" "1"

git checkout -q good
t_rc "good" 0 "${bisect[@]}" -- sh load.sh
t_like "says why" "$("${bisect[@]}" -- sh load.sh 2>&1)" '^[0-9a-f]{12} is good: value 1[0-9]+ .*; good [0-9.e+]+:1$'
git checkout -q bad
t_rc "bad" 1 "${bisect[@]}" -- sh load.sh
t_rc "a commit that fails is skipped" 125 "${bisect[@]}" -- sh -c 'exit 1'
t_like "after three runs" "$("${bisect[@]}" -- sh -c 'exit 1' 2>&1)" 'cannot be tested: 3 of 3 runs failed'
# where both samples are as likely, by their means and spreads
between=$(python3 - ../good ../bad <<'EOF'
import json, statistics, sys
(a, sa), (b, sb) = ((statistics.mean(v), statistics.stdev(v)) for v in (
    [json.loads(x)["values"]["value"] for x in open(f) if '"run"' in x] for f in sys.argv[1:]))
print((a * sb + b * sa) / (sa + sb))
EOF
)
t_rc "a value between the two is undecided" 125 "${bisect[@]}" -r 3 -- echo "rate: $between"
t_rc "ends that do not differ stop git" 128 "$PERF_MIGSTAT" bisect --good ../good --bad ../good -- true
t_rc "a metric that is not there stops git" 128 "${bisect[@]}" --metric nothing -- sh load.sh
t_rc "a file that is not there stops git" 128 "$PERF_MIGSTAT" bisect --good nothing --bad ../bad -- true
t_rc "wrong usage stops git" 129 "$PERF_MIGSTAT" bisect --good ../good -- true
t_done
