package dev.medley.control.failure;

import dev.medley.base.Group.Cut;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.control.watch.Roster;
import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.Message;
import dev.medley.net.membership.Membership;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Finds workers that reach the coordinator but not each other. It asks all of them to dial each
 * other when one met a fault of another, or when no step has come for long, and again as long as a
 * path is missing. {@link CutChoice} decides which continue. A partition loses no worker and uses
 * up no restart. Owned by the coordinator's agent.
 */
public final class Partition {
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long FELT_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(10);

    /** A cut that nobody has met a fault by has to show so often in a row. */
    private static final int ROUNDS_UNFELT = 2;

    private final Membership membership;
    private final Roster roster;
    private final RunWatcher watcher;
    private final long quietNs;
    private final Map<WorkerId, Double> speeds = new HashMap<>();
    private Set<WorkerId> waiting = Set.of();
    private List<Cut> relayed = List.of();
    private boolean isFelt;
    private boolean isAsking;
    private int roundsWithCuts;
    private List<Member> asked = List.of();
    private final Map<WorkerId, Map<Integer, String>> answers = new TreeMap<>();
    private long askedNs;
    private long steppedNs;
    private long patienceNs;

    /**
     * Of the run's workers.
     *
     * @param quietNs time without a step after which it looks by itself; then twice as long, and so
     *     on
     */
    public Partition(Membership membership, Roster roster, RunWatcher watcher, long quietNs) {
        this.membership = membership;
        this.roster = roster;
        this.watcher = watcher;
        this.quietNs = quietNs;
        this.patienceNs = quietNs;
    }

    /** Pairs of members of the next group that are joined through others. */
    public List<Cut> relayed(List<Member> members) {
        List<WorkerId> ids = members.stream().map(Member::worker).toList();
        return relayed.stream()
                .filter(cut -> ids.contains(cut.one()) && ids.contains(cut.other()))
                .toList();
    }

    /** A member met a fault of another. */
    public void felt() {
        isFelt = true;
    }

    /** A worker took so many samples in a step, in so long. */
    public void took(WorkerId worker, int samples, long ns) {
        if (samples > 0 && ns > 0) {
            speeds.put(worker, samples * 1e9 / ns);
        }
    }

    /** The run gets on. */
    public void stepped(long nowNs) {
        steppedNs = nowNs;
        patienceNs = quietNs;
    }

    /** A worker says whom it can dial. */
    public void heard(WorkerId worker, Message.Probed probed) {
        answers.put(worker, probed.why());
    }

    /** Asks, or decides, if it is time for that. */
    public void tick(long nowNs) {
        if (isAsking) {
            boolean allAnswered =
                    asked.stream().allMatch(member -> answers.containsKey(member.worker()));
            if (allAnswered || nowNs - askedNs > ANSWER_NS) {
                isAsking = false;
                decide();
            }
            return;
        }
        boolean isQuiet =
                membership.phase() != Membership.Phase.STOPPED
                        && membership.members().size() > 1
                        && nowNs - Math.max(steppedNs, askedNs) > patienceNs;
        boolean isOpen = isFelt || roundsWithCuts > 0 || !waiting.isEmpty() || !relayed.isEmpty();
        long againNs = isFelt ? FELT_AGAIN_NS : AGAIN_NS;
        if (isQuiet || (isOpen && nowNs - askedNs > againNs)) {
            patienceNs = isQuiet ? 2 * patienceNs : patienceNs;
            ask(nowNs);
        }
    }

    private void ask(long nowNs) {
        asked = membership.readyMembers();
        askedNs = nowNs;
        isFelt &= asked.size() > 1;
        isAsking = asked.size() > 1;
        answers.clear();
        if (isAsking) {
            List<WorkerId> all = asked.stream().map(Member::worker).toList();
            roster.send(all, new Message.Probe(asked));
        }
    }

    /** A pair is cut when the one that would dial cannot; silence is no answer. */
    private List<Cut> cuts() {
        List<Cut> cuts = new ArrayList<>();
        for (int lower = 0; lower < asked.size(); lower++) {
            for (int higher = lower + 1; higher < asked.size(); higher++) {
                Member one = asked.get(lower);
                Member other = asked.get(higher);
                boolean isHiddenBoth = !one.isDialled() && !other.isDialled();
                Member dialling = one.isDialled() ? other : one;
                Member dialled = one.isDialled() ? one : other;
                String why =
                        answers.getOrDefault(dialling.worker(), Map.of())
                                .getOrDefault(dialled.worker().value(), "");
                if (!isHiddenBoth && !why.isEmpty()) {
                    cuts.add(new Cut(one.worker(), other.worker()));
                }
            }
        }
        return cuts;
    }

    /** A worker that does not even answer may be about to be lost, however fast it was. */
    private double worth(WorkerId worker) {
        return answers.containsKey(worker) ? speeds.getOrDefault(worker, 0.0) : -1;
    }

    /** A worker that was lost meanwhile is no concern any more. */
    private void decide() {
        asked = asked.stream().filter(membership.readyMembers()::contains).toList();
        List<Cut> cuts = cuts();
        roundsWithCuts = cuts.isEmpty() ? 0 : roundsWithCuts + 1;
        if (!cuts.isEmpty() && !isFelt && waiting.isEmpty() && roundsWithCuts < ROUNDS_UNFELT) {
            return;
        }
        isFelt = false;
        CutChoice choice = CutChoice.of(asked, cuts, this::worth);
        boolean isNews = !waiting.equals(Set.copyOf(choice.waiting()));
        boolean areOtherRelays = !relayed.equals(choice.relayed());
        relayed = choice.relayed();
        if (!choice.why().isEmpty() && (isNews || areOtherRelays)) {
            watcher.warned(choice.why());
        }
        if (isNews) {
            waiting = Set.copyOf(choice.waiting());
            String why = choice.why().isEmpty() ? "all reach each other again" : choice.why();
            membership.cutOff(waiting, why);
        }
        if (areOtherRelays && choice.relayed().isEmpty()) {
            membership.replan("all reach each other again");
        } else if (areOtherRelays) {
            membership.reform(choice.why());
        }
    }
}
