package dev.medley.plan.policy;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Computes the time of a byte between the members of a group, from a report on their machines. */
public final class ServerPaths {
    private static final double NS_PER_SECOND = 1e9;

    private final Group group;
    private final LinkReport report;
    private final List<Integer> machineOf;

    private ServerPaths(Group group, LinkReport report, List<Integer> machineOf) {
        this.group = group;
        this.report = report;
        this.machineOf = machineOf;
    }

    /** The ways of a group. */
    public static ServerPaths of(Group group, LinkReport report) {
        List<Integer> machineOf = new ArrayList<>();
        for (Member member : group.members()) {
            machineOf.add(machineOf(report, member.worker().value()));
        }
        return new ServerPaths(group, report, machineOf);
    }

    private static int machineOf(LinkReport report, int worker) {
        return IntStream.range(0, report.workers().size())
                .filter(machine -> report.workers().get(machine).contains(worker))
                .findFirst()
                .orElse(-1);
    }

    /** Whether the report tells of all members, and nothing in it is only assumed. */
    public boolean isWhole() {
        return !machineOf.contains(-1)
                && machineOf.stream().distinct().allMatch(from -> isKnown(from));
    }

    private boolean isKnown(int from) {
        return machineOf.stream()
                .filter(to -> to != from)
                .noneMatch(to -> report.ways().get(from).get(to).origin() == Origin.ASSUMED);
    }

    /**
     * Nanoseconds of a byte between a member and all others of its group: the mean over them, in
     * the slower direction. Members of one machine share its link, and those of a site its border;
     * bytes that stay on a machine take nothing.
     */
    double toAllNsPerByte(int rank) {
        return nsPerByte(rank, other -> true, true);
    }

    /** The same between a member and the others of its site. */
    double insideNsPerByte(int rank) {
        return nsPerByte(rank, other -> isMate(rank, other), true);
    }

    /** The same between a member and those of other sites, of a border that it has for itself. */
    double outsideNsPerByte(int rank) {
        return nsPerByte(rank, other -> !isMate(rank, other), false);
    }

    private double nsPerByte(int rank, IntPredicate isAsked, boolean isShared) {
        double out = 0;
        double in = 0;
        int others = 0;
        for (int other = 0; other < group.size(); other++) {
            int from = machineOf.get(rank);
            int to = machineOf.get(other);
            if (other == rank || !isAsked.test(other)) {
                continue;
            }
            others++;
            if (from != to) {
                double sharing = isShared ? sharing(rank, other) : 1;
                out += sharing / report.ways().get(from).get(to).bytesPerSecond();
                in += sharing / report.ways().get(to).get(from).bytesPerSecond();
            }
        }
        return others == 0 ? 0 : Math.max(out, in) / others * NS_PER_SECOND;
    }

    /** Members that send the same way from where a rank stands. */
    private long sharing(int rank, int other) {
        return isMate(rank, other)
                ? machineOf.stream().filter(machineOf.get(rank)::equals).count()
                : IntStream.range(0, group.size()).filter(mate -> isMate(rank, mate)).count();
    }

    private boolean isMate(int rank, int other) {
        List<Member> members = group.members();
        return members.get(rank).site().equals(members.get(other).site());
    }
}
