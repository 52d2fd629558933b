package dev.medley.plan.source;

import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.MachineKind;
import dev.medley.plan.policy.MemoryCaps;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Gives another source's plans micro-batches that fit into memory. When a worker runs out of
 * memory, shares go through the model in smaller parts on machines of its type, which have as much;
 * other machines keep their parts. Only rounding and time change.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class CappedPlan extends PlanAround {
    private final MemoryCaps caps;
    private final Map<WorkerId, String> machines = new HashMap<>();

    /** The most samples that a machine of each type took at once, under the last plan with one. */
    private final Map<String, Integer> present = new HashMap<>();

    /** The same of any type. */
    private int most;

    /** Without caps that are not known, as long as memory lasts. */
    public CappedPlan(PlanSource source, MemoryCaps caps) {
        super(source);
        this.caps = caps;
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        Plan plan = source.plan(group, version, committedStep);
        List<String> types =
                group.members().stream().map(m -> machines.getOrDefault(m.worker(), "")).toList();
        List<Integer> parts =
                types.stream().map(type -> Math.min(plan.microBatch(), caps.of(type))).toList();
        types.forEach(present::remove);
        most = plan.microBatch();
        for (int rank = 0; rank < parts.size(); rank++) {
            int atOnce = Math.min(parts.get(rank), Math.max(1, plan.shares().get(rank)));
            present.merge(types.get(rank), atOnce, Math::max);
        }
        List<Integer> capped =
                IntStream.range(0, parts.size())
                        .filter(rank -> parts.get(rank) < plan.microBatch())
                        .boxed()
                        .toList();
        if (capped.isEmpty()) {
            return plan;
        }
        boolean isAlike = parts.stream().distinct().count() == 1;
        String why =
                "%s, in micro-batches of at most %s, since memory ran out%s"
                        .formatted(
                                plan.why(),
                                isAlike ? parts.get(0) : byRank(capped, parts),
                                capped.stream().map(types::get).anyMatch(caps::isFound)
                                        ? ""
                                        : " in an earlier run (--no-guesses tries them whole)");
        return isAlike ? plan.with(parts.get(0), why) : plan.with(parts, why);
    }

    private static String byRank(List<Integer> capped, List<Integer> parts) {
        return capped.stream()
                .map(rank -> parts.get(rank) + " on rank " + rank)
                .collect(Collectors.joining(", "));
    }

    @Override
    public TrialScope comes(WorkerId worker, MachineKind machine) {
        machines.put(worker, machine.type());
        return source.comes(worker, machine).atMost(caps.of(machine.type()));
    }

    @Override
    public @Nullable String resized(WorkerId worker, MachineKind machine, double faster) {
        machines.put(worker, machine.type());
        return source.resized(worker, machine, faster);
    }

    @Override
    public @Nullable String outOfMemory(String machine) {
        String parts = caps.cut(machine, present.getOrDefault(machine, most));
        return parts == null ? source.outOfMemory(machine) : parts;
    }

    /** Several that tried as many lower the cap once. */
    @Override
    public @Nullable String outOfMemoryTrying(String machine, int samples) {
        return caps.cut(machine, samples);
    }
}
