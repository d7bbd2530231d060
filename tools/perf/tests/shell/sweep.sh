#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# sweep: knobs found in trees of older and newer kernels, values set and put back, also after signals
# and kills, and what cannot be set said before the first run.
. "$(dirname "$0")/lib/tap.sh"
need_migstat
need_cmd perf pgrep taskset
perf stat -e cpu-migrations true >/dev/null 2>&1 || t_skip_all "perf stat cannot count here"

state=$T_TMP/state/sweep.state
sweep=("$PERF_MIGSTAT" sweep --state "$state")
root=$T_TMP/new old=$T_TMP/old
mkdir -p "$root/sys/kernel/debug/sched/domains/cpu"{0,1}/domain0 "$root/sys/kernel/mm/transparent_hugepage" \
	"$old/proc/sys/kernel" "$T_TMP/empty/sys/kernel/debug"
debug=$root/sys/kernel/debug/sched
echo 500000 >"$debug/migration_cost_ns"
echo 'none (voluntary) full' >"$debug/preempt"
echo 'always [madvise] never' >"$root/sys/kernel/mm/transparent_hugepage/enabled"
echo 117 >"$debug/domains/cpu0/domain0/imbalance_pct"
echo 110 >"$debug/domains/cpu1/domain0/imbalance_pct"
echo 'WA_IDLE NO_HRTICK TTWU_QUEUE' >"$debug/features"
echo 500000 >"$old/proc/sys/kernel/sched_migration_cost_ns"
cost=$debug/migration_cost_ns
mkdir -p "$root/sys/devices/system/cpu/cpu"{0,1}/cpufreq "$old/proc/sys/kernel/sched_domain/cpu"{0,1}/domain0
echo powersave | tee "$root/sys/devices/system/cpu/cpu"{0,1}/cpufreq/scaling_governor >"$T_TMP/out"
echo 4143 | tee "$old/proc/sys/kernel/sched_domain/cpu"{0,1}/domain0/flags >"$T_TMP/out"
echo 1 >"$old/proc/sys/kernel/numa_balancing"

# the values that the runs saw, in the order of the runs; a run that ends at once may be made again
seen()
{
	local file=$1

	shift
	: >"$T_TMP/seen"
	"${sweep[@]}" "$@" -- sh -c "tr '\n' ' ' <$file >>$T_TMP/seen; sleep 0.3" >"$T_TMP/out" 2>&1
	sed 's/ $//' "$T_TMP/seen"
}

t_is "each round begins one value later" "$(seen "$cost" --sysroot "$root" --set migration_cost=1,2,3 -r 3)" \
	"1 2 3 2 3 1 3 1 2"
t_is "put back" "$(cat "$cost")" 500000
t_is "nothing left to restore" "$(cat "$state")" ""
t_is "--no-interleave" "$(seen "$cost" --sysroot "$root" --set migration_cost=1,2 -r 2 --no-interleave)" "1 1 2 2"
t_is "-1 is all bits in debugfs" "$(seen "$cost" --sysroot "$root" --set migration_cost=-1,default -r 1)" \
	"4294967295 500000"
t_is "-1 is -1 in the old place" \
	"$(seen "$old/proc/sys/kernel/sched_migration_cost_ns" --sysroot "$old" --set migration_cost=-1 -r 1)" "-1"
t_is "a choice" "$(seen "$debug/preempt" --sysroot "$root" --set preempt=full,none -r 1)" "full none"
t_is "the chosen word is put back" "$(cat "$debug/preempt")" "voluntary"
t_is "all CPUs are set" \
	"$(seen "$debug/domains/cpu1/domain0/imbalance_pct" --sysroot "$root" --set domain.imbalance_pct=120 -r 1)" "120"
t_is "each gets its own back" "$(cat "$debug"/domains/cpu*/domain0/imbalance_pct | tr '\n' ' ')" "117 110 "
t_is "the governor of all CPUs" "$(seen "$root/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor" \
	--sysroot "$root" --set governor=performance,schedutil -r 1)" "performance schedutil"
t_is "is put back" "$(cat "$root/sys/devices/system/cpu/cpu"*/cpufreq/scaling_governor | tr '\n' ' ')" "powersave powersave "
t_is "flags of domains before 5.13" "$(seen "$old/proc/sys/kernel/sched_domain/cpu1/domain0/flags" \
	--sysroot "$old" --set domain.flags=4655,4143 -r 1)" "4655 4143"
t_is "numa_balancing" "$(seen "$old/proc/sys/kernel/numa_balancing" --sysroot "$old" --set numa_balancing=0,2 -r 1)" "0 2"
t_is "is put back, too" "$(cat "$old/proc/sys/kernel/numa_balancing")" 1
t_is "two knobs: each with each" "$(seen "$cost" --sysroot "$root" --set migration_cost=1,2 --set thp=always,never -r 1)" \
	"1 1 2 2"
t_like "are named" "$(cat "$T_TMP/out")" '^migration_cost=2 thp=never$'
t_like "and compared" "$(cat "$T_TMP/out")" 'cpu-migrations'

echo 7 >"$T_TMP/file"
t_is "--set-file" "$(seen "$T_TMP/file" --set-file "$T_TMP/file=1,2" -r 1)" "1 2"
t_is "is put back" "$(cat "$T_TMP/file")" 7
t_is "--set-cmd" "$(seen "$T_TMP/file" --set-cmd "echo {} >$T_TMP/file=3,4" --restore-cmd "echo 9 >$T_TMP/file" -r 1)" \
	"3 4"
t_is "--restore-cmd" "$(cat "$T_TMP/file")" 9
t_rc "--set-cmd alone" 129 "${sweep[@]}" --set-cmd "echo {}=1,2" -- true
t_like "says what is missing" "$(cat "$T_TMP/.out")" "restore-cmd"

# what cannot be: nothing has run, everything is as it was
t_rc "no such knob" 129 "${sweep[@]}" --set nonsense=1 -- touch "$T_TMP/ran"
t_rc "no such feature" 1 "${sweep[@]}" --sysroot "$root" --set NO_SUCH=1 -- touch "$T_TMP/ran"
t_rc "no values" 129 "${sweep[@]}" --set migration_cost -- touch "$T_TMP/ran"
t_rc "an empty value" 129 "${sweep[@]}" --set migration_cost=1, -- touch "$T_TMP/ran"
t_rc "a value twice" 129 "${sweep[@]}" --set migration_cost=1,1 -- touch "$T_TMP/ran"
t_rc "a nice value out of range, behind a good knob" 129 \
	"${sweep[@]}" --sysroot "$root" --set migration_cost=1,2 --set nice=0,99 -- touch "$T_TMP/ran"
t_is "the good one is put back" "$(cat "$cost")" 500000
t_rc "no debugfs" 1 "${sweep[@]}" --sysroot "$T_TMP/empty" --set migration_cost=1 -- touch "$T_TMP/ran"
t_like "is said" "$(cat "$T_TMP/.out")" 'migration_cost: debugfs is not mounted here'
t_like "with what helps" "$(cat "$T_TMP/.out")" 'Hint: mount -t debugfs'
t_rc "a newer kernel's knob" 1 "${sweep[@]}" --sysroot "$root" --set base_slice=1 -- touch "$T_TMP/ran"
t_like "is named with its place" "$(cat "$T_TMP/.out")" 'base_slice: this kernel has no .*base_slice_ns'
chmod a-w "$cost"
t_rc "read-only" 1 "${sweep[@]}" --sysroot "$root" --set migration_cost=1 -- touch "$T_TMP/ran"
t_like "is said" "$(cat "$T_TMP/.out")" 'read-only in this kernel'
chmod u+w "$cost"
inside='mount -t debugfs none /sys/kernel/debug && ! cat /sys/kernel/debug/sched/migration_cost_ns'
if unshare -m sh -c "$inside" >/dev/null 2>&1 && unshare -m sh -c "${inside%% &&*} &&
	test -e /sys/kernel/debug/sched/migration_cost_ns"; then
	t_like "a locked down kernel" "$(unshare -m sh -c "${inside%% &&*}; exec \"\$@\"" sh \
		"${sweep[@]}" --set migration_cost=1 -- touch "$T_TMP/ran" 2>&1)" 'migration_cost_ns.*lockdown'
else
	t_skip "a locked down kernel" "debugfs cannot be mounted here, or can be read"
fi
t_ok "nothing of that has run the command" test ! -e "$T_TMP/ran"
t_like "--list: value and place" "$("${sweep[@]}" --sysroot "$root" --list)" '^ +500000 +/.*migration_cost_ns'
t_is "--list fits 80 columns" "$("${sweep[@]}" --sysroot "" --list | awk 'length > 80')" ""

# stopped or killed while a value is set
stopped()
{
	local sig=$1 pid

	rm -f "$T_TMP/running"
	# what runs in the background of a script ignores ^C
	env --default-signal=INT \
		"${sweep[@]}" --sysroot "$root" --set migration_cost=1,2 --set-file "$T_TMP/file=5" -r 2 \
		-- sh -c "touch $T_TMP/running; sleep 100" >"$T_TMP/out" 2>&1 &
	pid=$!
	t_wait "the run" test -e "$T_TMP/running"
	t_is "SIG$sig: a value is set" "$(cat "$cost" "$T_TMP/file" | tr '\n' ' ')" "1 5 "
	child=$(pgrep -P $pid)
	kill "-$sig" $pid
	wait $pid
	code=$?
}
for sig in INT TERM HUP; do
	stopped $sig
	t_is "SIG$sig: put back" "$(cat "$cost" "$T_TMP/file" | tr '\n' ' ')" "500000 9 "
	t_is "SIG$sig: exit code" $code $((128 + $(kill -l $sig)))
	t_like "SIG$sig: is said" "$(cat "$T_TMP/out")" 'interrupted: the knobs are restored'
done
for i in 1 2; do
	stopped KILL
	kill -KILL -- "-$child"
	t_is "SIGKILL leaves it" "$(cat "$cost" "$T_TMP/file" | tr '\n' ' ')" "1 5 "
	if [ $i = 1 ]; then
		t_like "--restore" "$("${sweep[@]}" --restore 2>&1)" 'restored 2 settings'
	else
		t_is "the next start repairs first" "$(seen "$T_TMP/file" --sysroot "$root" --set migration_cost=3 -r 1)" 9
		t_like "and says so" "$(cat "$T_TMP/out")" 'restored 2 settings'
	fi
	t_is "put back after SIGKILL" "$(cat "$cost" "$T_TMP/file" | tr '\n' ' ')" "500000 9 "
done
t_is "--restore again" "$("${sweep[@]}" --restore)" "nothing to restore"

# killed at many moments: whatever was done, --restore brings it back
for i in $(seq 1 20); do
	"${sweep[@]}" --sysroot "$root" --set migration_cost=1,2,3 --set-file "$T_TMP/file=5,6" -r 20 -- true \
		>"$T_TMP/out" 2>&1 &
	pid=$!
	sleep "0.0$((i * 4 % 10))$i" # a moment is what is tested, nothing waits for this
	kill -KILL $pid
	wait $pid 2>/dev/null
	t_wait "the lock of $pid" "${sweep[@]}" --restore
	[ "$(cat "$cost") $(cat "$T_TMP/file")" = "500000 9" ] || break
done
t_is "20 kills: everything is put back" "$(cat "$cost") $(cat "$T_TMP/file")" "500000 9"

# a torn last line was never acted upon; another file is not taken for a state
printf '%s\n%s' '{"boot":"x","pid":1}' "{\"kind\":\"text\",\"path\":\"$T_TMP/file\",\"text\":\"to" >"$state"
t_ok "a torn line" "${sweep[@]}" --restore
t_is "changes nothing" "$(cat "$T_TMP/file")" 9
printf 'hello\n' >"$state"
t_rc "no state" 1 "${sweep[@]}" --restore
t_like "says where" "$(cat "$T_TMP/.out")" 'line 1: this is no state of a sweep'
printf '%s\n' '{"boot":"another","pid":1}' '{"kind":"text","path":"/proc/sys/kernel/nonsense","text":"1"}' \
	"{\"kind\":\"text\",\"path\":\"$T_TMP/file\",\"text\":\"10\"}" >"$state"
t_ok "after a reboot" "${sweep[@]}" --restore
t_is "files are put back, the kernel's are not" "$(cat "$T_TMP/file")" 10
mkdir -p "$T_TMP/lock"
"${sweep[@]}" --set nice=0 -r 1 -- sh -c "touch $T_TMP/lock/on; while [ ! -e $T_TMP/lock/off ]; do sleep 0.05; done" \
	>/dev/null 2>&1 &
pid=$!
t_wait "the first sweep" test -e "$T_TMP/lock/on"
t_rc "two sweeps at once" 1 "${sweep[@]}" --set nice=0 -- true
t_like "the second is refused" "$(cat "$T_TMP/.out")" 'another sweep is running'
touch "$T_TMP/lock/off"
wait $pid

# results, and the workload's own knobs
t_ok "a results file" "${sweep[@]}" --set nice=0,1 -r 2 -o "$T_TMP/r.jsonl" -- true
t_like "compare reads it" "$("$PERF_MIGSTAT" compare "$T_TMP/r.jsonl")" 'nice=0 +nice=1'
t_is "nice" "$("${sweep[@]}" --set nice=3,4 -r 1 -v -- nice 2>&1 | grep -xE '[34]' | tr '\n' ' ')" "3 4 "
t_like "correlations" "$("${sweep[@]}" --set nice=0,1 -r 4 -- true)" 'over all values'
cpu=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
t_like "place=one" "$("${sweep[@]}" --set place=one -r 1 -v -- sh -c 'taskset -pc $$' 2>&1)" "list: $cpu\$"
t_done
