package dev.medley.base;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Who takes part in a step. Fixed while its epoch lasts; a new group always has a higher epoch. The
 * rank of a member is its index in {@code members}.
 *
 * @param epoch grows by one with every view change of a run; the first group has epoch 1
 * @param members in order of rank, which is the order in which they joined
 */
public record Group(int epoch, List<Member> members) {
    public Group {
        members = List.copyOf(members);
        if (members.isEmpty()) {
            throw new IllegalArgumentException("a group has at least one member, epoch " + epoch);
        }
    }

    /** Number of members. */
    public int size() {
        return members.size();
    }

    /** The rank of a worker; an error if it is not a member. */
    public int rankOf(WorkerId worker) {
        for (int rank = 0; rank < members.size(); rank++) {
            if (members.get(rank).worker().equals(worker)) {
                return rank;
            }
        }
        throw new IllegalArgumentException(worker + " is not a member of epoch " + epoch);
    }

    /** Whether all members can share memory. */
    public boolean isOnOneHost() {
        return members.stream().map(Member::hostKey).distinct().count() == 1;
    }

    /** The sites of the members, in the order of their first ranks. */
    public List<String> sites() {
        return members.stream().map(Member::site).distinct().toList();
    }

    /** The ranks that stand at a site, ascending; empty if it has none. */
    public List<Integer> ranksAt(String site) {
        return IntStream.range(0, size())
                .filter(r -> members.get(r).site().equals(site))
                .boxed()
                .toList();
    }

    /** Whether all members compute bit-equal updates with LibTorch. */
    public boolean hasEqualKernels() {
        return members.stream().map(Member::kernelKey).distinct().count() == 1;
    }
}
