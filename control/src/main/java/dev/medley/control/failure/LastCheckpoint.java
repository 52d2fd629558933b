package dev.medley.control.failure;

import dev.medley.base.WorkerId;
import dev.medley.base.time.Clock;
import dev.medley.control.watch.Roster;
import dev.medley.net.control.Message;
import dev.medley.net.membership.Membership;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Has a checkpoint written before a run ends that is not done: its members stop, and the one that
 * is ahead keeps what all of them hold. So a run that fails because of one member, or of a watcher
 * that throws, does not lose the steps of the others. Owned by the coordinator.
 */
public final class LastCheckpoint {
    /** For the members to stop, and again for one of them to write. */
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);

    private final Membership membership;
    private final Roster roster;
    private final Verdict verdict;
    private final Clock clock;
    private String why = "the run was interrupted";
    private boolean isWanted;
    private long untilNs;
    private @Nullable WorkerId keeper;

    /** Nothing is asked for yet. */
    public LastCheckpoint(Membership membership, Roster roster, Verdict verdict, Clock clock) {
        this.membership = membership;
        this.roster = roster;
        this.verdict = verdict;
        this.clock = clock;
    }

    /** The outcome is known: where it is a failure, what the members hold is to be kept. */
    public void begin() {
        if (verdict.isStateSound() && !membership.members().isEmpty()) {
            why = verdict.why();
            isWanted = true;
            untilNs = clock.awakeNs() + TIMEOUT_NS;
            membership.stop(why);
            membership.reform(why); // Without who failed there is no step to stop after together.
        }
    }

    /** Whether the outcome is known and nothing is waited for any more. */
    public boolean isOver() {
        WorkerId writes = keeper;
        boolean isWritten =
                membership.phase() == Membership.Phase.STOPPED
                        && (writes == null || roster.launch(writes) == null);
        boolean isAwaited = isWanted && !isWritten && clock.awakeNs() < untilNs;
        return verdict.isKnown() && !isAwaited;
    }

    /** The members have stopped: the one that is ahead keeps what it holds, and all leave. */
    public void stopped(Membership.Action.Stopped stopped) {
        keeper = stopped.committed().step() > 0 ? stopped.ahead() : null;
        untilNs = clock.awakeNs() + TIMEOUT_NS;
        for (WorkerId worker : roster.workers()) {
            roster.send(List.of(worker), new Message.Close(worker.equals(keeper), why));
        }
    }

    /** The user does not wait for it any more. */
    public void giveUp() {
        isWanted = false;
    }
}
