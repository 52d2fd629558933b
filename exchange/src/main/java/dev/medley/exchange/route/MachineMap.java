package dev.medley.exchange.route;

import dev.medley.base.Group;
import dev.medley.base.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The ranks of a group by machine. Machines are numbered in the order of their first ranks. Members
 * of two sites are on two machines, also where they have one kernel, as in a test on one machine.
 *
 * @param keys of the machines: equal in two groups exactly for the same machine
 * @param machineOf each rank's machine
 */
public record MachineMap(List<String> keys, List<Integer> machineOf) {
    public MachineMap {
        keys = List.copyOf(keys);
        machineOf = List.copyOf(machineOf);
    }

    /** The map of a group. */
    public static MachineMap of(Group group) {
        List<String> keys = new ArrayList<>();
        List<Integer> machineOf = new ArrayList<>();
        for (Member member : group.members()) {
            String key = key(member, group);
            if (!keys.contains(key)) {
                keys.add(key);
            }
            machineOf.add(keys.indexOf(key));
        }
        return new MachineMap(keys, machineOf);
    }

    /** Without the site where it says nothing new: a site that is found later is no move. */
    private static String key(Member member, Group group) {
        boolean isSplit =
                group.members().stream()
                        .anyMatch(
                                other ->
                                        other.hostKey().equals(member.hostKey())
                                                && !other.site().equals(member.site()));
        return isSplit ? member.hostKey() + " at " + member.site() : member.hostKey();
    }

    /** Number of machines. */
    public int size() {
        return keys.size();
    }

    /** The lowest rank of a machine, which speaks and measures for it. */
    public int leader(int machine) {
        return machineOf.indexOf(machine);
    }

    /** The lowest ranks of all machines, in order of machines. */
    public List<Integer> leaders() {
        return IntStream.range(0, size()).mapToObj(this::leader).toList();
    }

    /** The ranks of a machine, ascending. */
    public List<Integer> ranksOn(int machine) {
        List<Integer> ranks = new ArrayList<>();
        for (int rank = 0; rank < machineOf.size(); rank++) {
            if (machineOf.get(rank) == machine) {
                ranks.add(rank);
            }
        }
        return ranks;
    }
}
