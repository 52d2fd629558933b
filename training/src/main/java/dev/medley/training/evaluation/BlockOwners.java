package dev.medley.training.evaluation;

import dev.medley.base.WorkerId;
import dev.medley.base.placement.ShardPlacement;
import dev.medley.base.placement.ShardPlacement.Holder;
import dev.medley.base.placement.ShardPlacement.Shard;
import dev.medley.inference.metric.EvaluationBlocks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rank that evaluates each block. Each rank has as many blocks as its share of a step, so that
 * uneven machines are done at the same time, and keeps the same blocks, so that they stay in its
 * cache; few move when shares change or a worker comes or goes. The results of an evaluation do not
 * depend on it.
 *
 * @param rankOfBlock by number of block
 */
public record BlockOwners(List<Integer> rankOfBlock) {
    public BlockOwners {
        rankOfBlock = List.copyOf(rankOfBlock);
    }

    /**
     * The owners in a group; all of its members find the same.
     *
     * @param members by rank
     * @param shares of a step, by rank; a rank without samples evaluates nothing, unless all have
     *     none
     */
    public static BlockOwners of(
            EvaluationBlocks blocks, List<WorkerId> members, List<Integer> shares) {
        boolean isIdle = shares.stream().allMatch(share -> share == 0);
        List<Holder> holders = new ArrayList<>();
        Map<String, Integer> ranks = new HashMap<>();
        for (int rank = 0; rank < members.size(); rank++) {
            String name = members.get(rank).toString();
            double speed = isIdle ? 1 : shares.get(rank);
            ranks.put(name, rank);
            if (speed > 0) {
                holders.add(new Holder(name, speed, "", List.of()));
            }
        }
        List<Shard> shards = new ArrayList<>();
        for (int block = 0; block < blocks.count(); block++) {
            double samples = (double) (blocks.to(block) - blocks.from(block));
            shards.add(new Shard("block-" + block, samples, "", ""));
        }
        Map<String, String> placed = ShardPlacement.of(shards, holders, Map.of()).byShard();
        return new BlockOwners(
                shards.stream().map(shard -> ranks.get(placed.get(shard.name()))).toList());
    }

    boolean isOf(int block, int rank) {
        return rankOfBlock.get(block) == rank;
    }
}
