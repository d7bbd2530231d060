#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The tables of five public mails, character for character, from their numbers, and the verdicts that
# their runs allow. expected/ holds the published tables.
. "$(dirname "$0")/lib/tap.sh"
need_migstat
cd "$MIG_TEST_DATA/results" || exit 1
compare=("$PERF_MIGSTAT" compare)

# table NAME ARG...: the table is the published one
table()
{
	local name=$1

	shift
	t_is "$name" "$("${compare[@]}" "$@" 2>&1)" "$(cat "expected/$name.txt")"
}

# verdict FILE FILE METRIC: the word
verdict()
{
	"${compare[@]}" --format=csv "$1" "$2" 2>/dev/null | awk -F, -v m="$3" '$2 == m { print $NF }'
}

# the notes below mail 2 are a summary: not compared
t_is "mail 2" "$("${compare[@]}" --format=suite mail2.jsonl | grep -v '^n[0-9]')" "$(cat expected/mail2.txt)"
t_like "mail 2: one note for two rows" "$("${compare[@]}" --format=suite mail2.jsonl)" '; n2, n4 localhost, 1 client; '
table mail3-aim --format=values mail3-aim.jsonl
table mail3-multiuser --format=runs --per-line=10 mail3-multiuser.jsonl
table mail3-dbase --format=runs --per-line=10 mail3-dbase.jsonl
table mail5 --format=values mail5.jsonl
# one test a metric: its TOTAL row repeats it, without a spread
t_is "mail 4" "$("${compare[@]}" --format=lkp -a mail4.jsonl | grep '%' | grep -v TOTAL)" "$(cat expected/mail4.txt)"
t_is "mail 4: header" "$("${compare[@]}" --format=lkp -a mail4.jsonl | head -n 2)" \
	"1de157d718f6494       6eb8b571283e64e96ca1
---------------  -------------------------"
t_like "mail 4: TOTAL" "$("${compare[@]}" --format=lkp -a mail4.jsonl)" \
	'^     37779         \+115\.2%      81288       TOTAL proc-vmstat\.pgscan_direct_normal$'

t_is "raw runs, five a line" "$("${compare[@]}" --format=runs mail3-dbase.jsonl | sed -n 2,3p)" \
	"base  11022.7 11018.9 11037.9 11003.8 11087.5
      11145.2 11133.6 11068.3 11091.3 11106.6  average=11071"

line=$("${compare[@]}" line-mg2.jsonl line-cost0.jsonl)
t_like "one line: the score" "$line" '^      4990 ~11%    -32\.5%       3369 ~30%  p=0\.056 ~      score \[n1\]$'
t_like "one line: migrations" "$line" '^      1576 ~26%    -92\.3%     120\.60 ~ 9%  p=0\.008 chg    cpu-migrations \[n2\]$'
t_like "one line: misses" "$line" '^ 4\.008e\+08 ~50%   \+148\.3%  9\.952e\+08 ~24%  p=0\.008 WORSE  cache-misses'
t_like "a far run is named" "$line" '^n1\. cost0 run 5 \(5224\.02\) is far from the median 2920\.08; not dropped$'
t_like "a warm-up is named" "$line" '^n2\. mg2 rises with run order \(rho \+1\.00\): runs may not be independent$'
t_like "-v: the interval" "$("${compare[@]}" -v line-mg2.jsonl line-cost0.jsonl)" \
	'^  HL \+123\.3% \[\+36\.1, \+880\.3\] 96\.8%  P\(b>a\) 1\.00  n=5\+5  U=25  Holm='
t_is "no line is longer than 80 columns" "$(awk 'length > 80' <<<"$line")" ""

for m in value cache-misses cpu-migrations cachemisses/migrations; do
	t_is "tip against mg2: five runs do not prove $m" "$(verdict mail1-tip.jsonl mail1-mg2.jsonl $m)" "~"
done
t_rc "and so the exit code is 0" 0 "${compare[@]}" mail1-tip.jsonl mail1-mg2.jsonl
t_is "cost 0: migrations" "$(verdict mail1-mg2.jsonl mail1-cost0.jsonl cpu-migrations)" "chg"
t_is "cost 0: misses" "$(verdict mail1-mg2.jsonl mail1-cost0.jsonl cache-misses)" "WORSE"
t_is "cost 0: the score is not proven" "$(verdict mail1-mg2.jsonl mail1-cost0.jsonl value)" "~"
t_rc "cost 0: the exit code" 1 "${compare[@]}" mail1-mg2.jsonl mail1-cost0.jsonl
t_is "cost -1: migrations" "$(verdict mail1-mg2.jsonl mail1-cost-1.jsonl cpu-migrations)" "chg"

t_like "dbase: proven, and down" "$("${compare[@]}" --primary jobs/min -v mail3-dbase.jsonl)" \
	'-1\.0%      10962 ~ 0%  p<0\.001 WORSE  jobs/min'
t_like "multiuser: no evidence" "$("${compare[@]}" --primary jobs/min mail3-multiuser.jsonl)" \
	'-0\.0%      44482 ~ 0%  p=0\.971 ~      jobs/min'
t_done
