#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What goes wrong around a recording: no room on the disk, a killed recorder, text in the pipe, tight
# limits, two at a time. Each leaves a recording that can be read or one clear error, and nobody behind.
. "$(dirname "$0")/lib/tap.sh"

need_migstat
need_cmd perf
need_root
need_tracepoints
here=$(cd "$(dirname "$0")" && pwd)
cd "$T_TMP" || exit 1

report()
{
	"$PERF_MIGSTAT" report --stdio "$@" 2>&1
}

# recorder_of PID: its perf record
recorder_of()
{
	ps -o pid=,args= --ppid "$1" 2>/dev/null | awk '/perf record/ { print $1; exit }'
}

has_recorder()
{
	[ -n "$(recorder_of "$1")" ]
}

# alive NAME: is a program with that argv[0] there?
alive()
{
	pgrep -f "^$1 " >/dev/null
}

not_alive()
{
	! alive "$1"
}

# --- a recorder that is killed outright ---

sleeper=migtest-sleeper-$$
"$PERF_MIGSTAT" record -q -o killed.data -- bash -c "exec -a $sleeper sleep 60" 2>err &
ours=$!
t_wait "perf record" has_recorder $ours
t_wait "the workload" alive "$sleeper"
t_wait "data" test -s killed.data
kill -KILL "$(recorder_of $ours)"
wait $ours
t_is "a killed recorder: the exit code tells" "$?" 137
t_like "so does an error" "$(cat err)" '^Error: perf record was killed \(signal 9\)'
t_like "and what the file is good for" "$(cat err)" '^Hint: killed\.data has samples, but not what their events mean'
t_wait "the workload has ended, too" not_alive "$sleeper"
t_like "its file: said to be one" "$(report -i killed.data)" 'the recorder was killed \(the header gives no data size\)'
t_like "its file: no figures that were not read" "$(report -i killed.data)" '^ +- +- +- +- +-$'

# --- the disk is full ---

mkdir disk
if mount -t tmpfs -o size=1m tmpfs disk 2>/dev/null; then
	t_cleanup "umount '$T_TMP/disk' 2>/dev/null"
	"$PERF_MIGSTAT" record -o disk/full.data -- bash -c "perf bench sched pipe -l 50000; exec -a $sleeper sleep 60" >out 2>err
	t_ok "a full disk: an exit code" test $? -ne 0
	t_like "the reason" "$(cat err)" 'No space left on device'
	t_like "what became of it" "$(cat err)" '^(Error: perf record failed|Hint: disk/full\.data has samples)'
	t_wait "the workload has ended, too" not_alive "$sleeper"
	report -i disk/full.data >said
	t_like "its file: said to be cut" "$(cat said)" 'killed|cut off|ends inside'
	umount disk
else
	t_skip "a full disk" "no tmpfs can be mounted"
fi
"$PERF_MIGSTAT" script -i "$MIG_TEST_DATA/lab/6.1-n8-migstat/ms-msg.data" >/dev/full 2>err
t_is "script to a full disk: an exit code" "$?" 1
t_like "and the reason" "$(cat err)" 'No space left on device'
"$PERF_MIGSTAT" report --stdio -i "$MIG_TEST_DATA/lab/6.1-n8-migstat/ms-msg.data" >/dev/full 2>err
t_is "report to a full disk: an exit code" "$?" 1
t_like "and the reason" "$(cat err)" 'No space left on device'

# --- through a pipe ---

"$PERF_MIGSTAT" record -q -o - -- sh -c 'echo to-stdout; echo to-stderr >&2' 2>err | report -i - >said
t_like "a workload that writes to both: the recording is read" "$(cat said)" '^[0-9,]+ events, lost 0'
t_is "what it wrote is on stderr" "$(sort err)" "$(printf 'to-stderr\nto-stdout')"
# 100 KiB of text, more than a pipe takes at once, must hit a record somewhere
"$PERF_MIGSTAT" record -q -o - -- seq -f "this is no record but a line of text, number %g" 2000 2>&1 |
	report -i - >said
t_is "2>&1: an exit code" "${PIPESTATUS[1]}" 1
t_like "2>&1: where the text begins, and the cause" "$(cat said)" '^Error: standard input: (text where a record should begin|damaged|input ends inside).* at offset 0x'
{
	head -c 16 "$MIG_TEST_DATA/lab/6.1-n8-fmt/fmt-pipe.pdata"
	echo "hello from the workload"
	tail -c +17 "$MIG_TEST_DATA/lab/6.1-n8-fmt/fmt-pipe.pdata"
} >mixed.pdata
t_like "text between records is called text" "$(report -i - <mixed.pdata)" \
	'^Error: standard input: text where a record should begin, at offset 0x10: hello from the workload$'
"$PERF_MIGSTAT" script -i "$MIG_TEST_DATA/lab/6.1-n8-migstat/ms-msg.data" 2>err | head -n 1 >said
t_is "a reader that goes early is no error" "${PIPESTATUS[0]} $(wc -l <said) $(cat err)" "141 1 "

# --- limits ---

if setpriv --reuid 65534 --clear-groups --inh-caps=+perfmon --ambient-caps=+perfmon true 2>/dev/null; then
	caps=+perfmon,+dac_read_search,+dac_override
	limited()
	{
		setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=$caps --ambient-caps=$caps \
			bash -c "ulimit -l 64; ulimit -n ${1:-1024}; exec '$PERF_MIGSTAT' record -o limit.data -- true" 2>err
	}
	mlock=$(cat /proc/sys/kernel/perf_event_mlock_kb)
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -lt 0 ] || [ "$mlock" -gt 4096 ]; then
		t_skip "locked memory" "perf_event_paranoid or perf_event_mlock_kb ($mlock) sets no tight limit"
	else
		limited
		t_is "little memory may be locked: it records" "$?" 0
		t_like "with smaller rings, and says so" "$(cat err)" '^Warning: the kernel refused rings of [0-9]+ pages a CPU .*using -m [0-9]+, records may be lost'
		t_like "it can be read" "$(report -i limit.data)" '^[0-9,]+ events, lost '
	fi
	limited 20
	t_is "few open files, and no more to be had: an exit code" "$?" 1
	t_like "the number" "$(cat err)" '^Error: [0-9]+ events on [0-9]+ CPUs need [0-9]+ open files'
	t_like "the cure" "$(cat err)" '^Hint: ulimit -Hn [0-9]+'
else
	t_skip "limits" "setpriv cannot give CAP_PERFMON"
fi

# --- containers, cgroups, the network ---

if python3 "$here/lib/seccomp.py" EPERM true 2>/dev/null; then
	for e in EPERM ENOSYS; do
		python3 "$here/lib/seccomp.py" $e "$PERF_MIGSTAT" record -o no.data -- true 2>err
		t_is "perf_event_open refused by seccomp ($e): an exit code" "$?" 1
		t_like "it is not taken for a lack of privileges" "$(cat err)" '^Error: perf_event_open: .*seccomp'
	done
else
	t_skip "a seccomp filter" "none can be set"
fi
# version 2 on its own, or beside version 1
for dir in /sys/fs/cgroup /sys/fs/cgroup/unified; do
	[ ! -f $dir/cgroup.procs ] || cgroup=$dir/migtest-$$
done
if [ -n "${cgroup-}" ] && mkdir "$cgroup" 2>/dev/null; then
	t_cleanup "rmdir '$cgroup' 2>/dev/null"
	"$PERF_MIGSTAT" record -q -o cgroup.data -G "${cgroup##*/}" -- bash -c "perf bench sched pipe -l 500
		echo \$BASHPID >$cgroup/cgroup.procs && perf bench sched pipe -T -l 1000" >/dev/null 2>err
	t_is "-G of a real cgroup" "$? $(cat err)" "0 "
	rep=$("$PERF_MIGSTAT" report --stdio -i cgroup.data 2>&1)
	t_like "the report is limited to it" "$rep" "^Only cgroup ${cgroup##*/}, and what they fork"
	# 2000 in it, 1000 before; kernels are known that omit events
	n=$(awk '/^sched-pipe +sched-pipe/ { print $3 + 0; exit }' <<<"$rep")
	t_ok "and has what ran in it, and no more: $n wakeups" test "${n:-0}" -gt 1000 -a "${n:-0}" -lt 2400
else
	t_skip "-G of a real cgroup" "no cgroup (version 2) can be made here"
fi
t_rc "debuginfod servers are not asked" 0 env DEBUGINFOD_URLS=http://192.0.2.1:9 timeout 5 \
	"$PERF_MIGSTAT" report --stdio -i "$MIG_TEST_DATA/lab/6.1-n8-migstat/ms-msg.data"

# --- two at a time ---

"$PERF_MIGSTAT" record -q -o one.data -- sleep 1 2>err.1 &
one=$!
"$PERF_MIGSTAT" record -q -o two.data -- sleep 1 2>err.2 &
two=$!
wait $one
t_is "two at a time: the first" "$? $(cat err.1)" "0 "
wait $two
t_is "two at a time: the second" "$? $(cat err.2)" "0 "
for f in one two; do
	t_like "$f.data is whole" "$(report -i $f.data)" '^[0-9,]+ events, lost '
	t_like "$f.data has its own workload" "$(perf report --header-only -i $f.data 2>/dev/null)" "^# cmdline : .* -o $f.data -- sleep 1"
done
mkdir same && cd same || exit 1
# without -o perf record writes into a pipe if there is one
"$PERF_MIGSTAT" record -q -- sleep 2 >/dev/null 2>err.1 &
one=$!
t_wait "the first perf.data" test -s perf.data
"$PERF_MIGSTAT" record -q -- sleep 0.1 >/dev/null 2>err.2
t_is "the same file at a time: the second" "$? $(cat err.2)" "0 "
wait $one
t_is "the same file at a time: the first" "$? $(cat err.1)" "0 "
for f in perf.data perf.data.old; do
	t_like "$f is whole" "$(report -i $f)" '^[0-9,]+ events, lost '
done
t_done
