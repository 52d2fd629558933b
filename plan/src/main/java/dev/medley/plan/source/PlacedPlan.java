package dev.medley.plan.source;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.base.placement.ShardPlacement;
import dev.medley.base.placement.ShardPlacement.Holder;
import dev.medley.base.placement.ShardPlacement.Shard;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Adds to another source's plans which worker keeps which shards of the training samples. Each
 * keeps as much as its share of a step, so that all finish theirs together. Few shards move from
 * one plan to the next, and a machine that has a shard keeps it rather than one that would have to
 * fetch it. A shard that has to move goes rather to a machine of the site at which it was read,
 * where a file server or a proxy has it.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class PlacedPlan extends PlanAround {
    private final List<Shard> shards;
    private final Map<WorkerId, Set<String>> held = new HashMap<>();
    private final Map<String, String> sites = new HashMap<>(); // Of whoever had a shard last.
    private Map<String, String> before = Map.of();

    /**
     * The plans of {@code source} for these shards.
     *
     * @param shards in order of their numbers
     */
    public PlacedPlan(PlanSource source, List<Shard> shards) {
        super(source);
        this.shards = List.copyOf(shards);
    }

    @Override
    public void holds(WorkerId worker, List<Integer> here) {
        held(worker).addAll(here.stream().map(shard -> shards.get(shard).name()).toList());
        super.holds(worker, here);
    }

    @Override
    public void leaves(WorkerId worker) {
        held.remove(worker);
        super.leaves(worker);
    }

    @Override
    public Plan plan(Group group, int version, long committedStep) {
        Plan plan = source.plan(group, version, committedStep);
        List<Holder> holders = new ArrayList<>();
        Map<String, Integer> ranks = new HashMap<>();
        for (int rank = 0; rank < group.size(); rank++) {
            Member member = group.members().get(rank);
            String name = member.worker().toString();
            ranks.put(name, rank);
            held(member.worker()).forEach(shard -> sites.putIfAbsent(shard, member.site()));
            int share = plan.shares().get(rank);
            if (share > 0) {
                holders.add(new Holder(name, share, member.site(), held(member.worker())));
            }
        }
        List<Shard> lying =
                shards.stream().map(s -> s.at(sites.getOrDefault(s.name(), ""))).toList();
        ShardPlacement placed = ShardPlacement.of(lying, holders, before);
        before = placed.byShard();
        List<Integer> owners =
                shards.stream().map(shard -> ranks.get(before.get(shard.name()))).toList();
        for (int shard = 0; shard < owners.size(); shard++) {
            Member owner = group.members().get(owners.get(shard));
            held(owner.worker()).add(shards.get(shard).name());
            sites.put(shards.get(shard).name(), owner.site());
        }
        return plan.placing(owners, plan.why() + "; " + placed.why());
    }

    /** What was on the machine when the worker came, and what it was given since. */
    private Set<String> held(WorkerId worker) {
        return held.computeIfAbsent(worker, any -> new HashSet<>());
    }
}
