package dev.medley.base;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The members that take part in a step. A group is fixed while its epoch lasts; a new group always
 * has a higher epoch. The rank of a member is its index in {@code members}.
 *
 * @param epoch grows by one with every view change of a run; the first group has epoch 1
 * @param members in order of rank, which is the order in which they joined
 * @param cuts pairs of members that cannot reach each other and are joined through others
 */
public record Group(int epoch, List<Member> members, List<Cut> cuts) {
    /**
     * Two workers that could reach each other by their addresses, and do not.
     *
     * @param one of them
     * @param other the one that joined later
     */
    public record Cut(WorkerId one, WorkerId other) {
        /** Whether it lies between these two. */
        public boolean isBetween(WorkerId a, WorkerId b) {
            return (one.equals(a) && other.equals(b)) || (one.equals(b) && other.equals(a));
        }
    }

    public Group {
        members = List.copyOf(members);
        cuts = List.copyOf(cuts);
        if (members.isEmpty()) {
            throw new IllegalArgumentException("a group has at least one member, epoch " + epoch);
        }
    }

    /** One whose members all reach each other, as far as anybody knows. */
    public Group(int epoch, List<Member> members) {
        this(epoch, members, List.of());
    }

    /** Whether two ranks cannot reach each other. */
    public boolean isCut(int rank, int other) {
        WorkerId a = members.get(rank).worker();
        WorkerId b = members.get(other).worker();
        return cuts.stream().anyMatch(cut -> cut.isBetween(a, b));
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
