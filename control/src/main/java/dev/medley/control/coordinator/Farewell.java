package dev.medley.control.coordinator;

import dev.medley.base.WorkerId;
import dev.medley.control.event.Event;
import dev.medley.control.watch.RunOutcome;
import dev.medley.net.control.Message;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says goodbye to the workers of a run that ends, and waits until they have hung up. Any that does
 * not is killed with the launcher's end. What they still have for the record is passed on. Owned by
 * {@link Chair}.
 */
final class Farewell {
    private static final Logger LOG = LoggerFactory.getLogger(Farewell.class);
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final CoordinatorState state;
    private final WorkerMessages workers;
    private long deadlineNs;
    private boolean isCutShort;

    Farewell(CoordinatorState state, WorkerMessages workers) {
        this.state = state;
        this.workers = workers;
    }

    /** Tells all of them. */
    void begin(RunOutcome outcome) {
        state.effects.send(state.roster.callers(), new Message.Close(false, outcome.why()));
        deadlineNs = state.time.awakeNs() + TIMEOUT_NS;
    }

    /** Something happens meanwhile. */
    void hear(Event event) {
        if (event instanceof Event.HungUp hungUp) {
            state.roster.hungUp(hungUp.by());
        } else if (event instanceof Event.Interrupted) {
            isCutShort = true;
        } else if (event instanceof Event.Said said) {
            WorkerId worker = state.roster.worker(said.by());
            if (worker != null) {
                take(worker, said.message());
            }
        }
    }

    /** The outcome is known: what somebody says now does not change it. */
    private void take(WorkerId worker, Message message) {
        try {
            workers.hearLast(worker, message);
        } catch (RuntimeException e) {
            LOG.warn("the last words of {} are left out", worker, e);
        }
    }

    /** Whether all have gone, or are not waited for any more. */
    boolean isOver() {
        return isCutShort || state.roster.isEmpty() || state.time.awakeNs() >= deadlineNs;
    }

    /** How long they are waited for yet, in ns. */
    long waitNs(long nowNs) {
        return deadlineNs - nowNs;
    }
}
