package dev.medley.control.failure;

import dev.medley.base.Group;
import dev.medley.base.Group.Cut;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.route.RelayChoice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The decision which workers continue where some cannot reach each other. Two that a third worker
 * reaches are joined through it. Of the rest, the one that misses the most others waits; of equals
 * the slower one, then the one with the higher id. So the larger side continues, and of two equal
 * sides the faster one.
 *
 * @param waiting workers that sit out until they reach the others again
 * @param relayed pairs of continuing workers that are joined through others
 * @param why one sentence; empty where all reach each other
 */
record CutChoice(List<WorkerId> waiting, List<Cut> relayed, String why) {
    CutChoice {
        waiting = List.copyOf(waiting);
        relayed = List.copyOf(relayed);
    }

    /** The choice for these members and cuts. */
    static CutChoice of(List<Member> all, List<Cut> cuts, ToDoubleFunction<WorkerId> speed) {
        List<Member> on = new ArrayList<>(all);
        List<WorkerId> waiting = new ArrayList<>();
        for (List<Cut> open = open(on, cuts); !open.isEmpty(); open = open(on, cuts)) {
            List<Cut> missed = open;
            Member next =
                    on.stream()
                            .max(
                                    Comparator.<Member>comparingLong(m -> cutsOf(m, missed))
                                            .thenComparingDouble(
                                                    m -> -speed.applyAsDouble(m.worker()))
                                            .thenComparing(Member::worker))
                            .orElseThrow();
            on.remove(next);
            waiting.add(next.worker());
        }
        List<Cut> relayed = among(on, cuts);
        return new CutChoice(waiting, relayed, why(cuts, waiting, relayed));
    }

    /** Cuts between members that nobody else bridges. */
    private static List<Cut> open(List<Member> members, List<Cut> cuts) {
        List<Cut> theirs = among(members, cuts);
        if (theirs.isEmpty()) {
            return theirs;
        }
        Group group = new Group(1, members, theirs);
        RelayChoice relays = RelayChoice.of(group);
        return theirs.stream()
                .filter(
                        cut ->
                                relays.between(group.rankOf(cut.one()), group.rankOf(cut.other()))
                                        .isEmpty())
                .toList();
    }

    private static List<Cut> among(List<Member> members, List<Cut> cuts) {
        List<WorkerId> ids = members.stream().map(Member::worker).toList();
        return cuts.stream()
                .filter(cut -> ids.contains(cut.one()) && ids.contains(cut.other()))
                .toList();
    }

    private static long cutsOf(Member member, List<Cut> cuts) {
        WorkerId id = member.worker();
        return cuts.stream().filter(c -> c.one().equals(id) || c.other().equals(id)).count();
    }

    private static String why(List<Cut> cuts, List<WorkerId> waiting, List<Cut> relayed) {
        if (cuts.isEmpty()) {
            return "";
        }
        String pairs =
                cuts.stream()
                        .map(cut -> cut.one() + " and " + cut.other())
                        .collect(Collectors.joining(", "));
        String through = relayed.isEmpty() ? "" : "; others join those that go on";
        String waits =
                waiting.isEmpty()
                        ? ""
                        : "; without "
                                + waiting.stream()
                                        .map(WorkerId::toString)
                                        .collect(Collectors.joining(", "))
                                + " until the way is back, and nothing is lost by that";
        return "%s do not reach each other, though both reach the coordinator: the run goes on%s%s"
                .formatted(pairs, through, waits);
    }
}
