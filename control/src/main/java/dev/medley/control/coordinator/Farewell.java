package dev.medley.control.coordinator;

import dev.medley.base.WorkerId;
import dev.medley.base.time.Clock;
import dev.medley.control.coordinator.Inbox.Event;
import dev.medley.control.failure.OwnFailures;
import dev.medley.control.watch.MessageCheck;
import dev.medley.control.watch.Roster;
import dev.medley.control.watch.RunOutcome;
import dev.medley.control.watch.RunWatcher;
import dev.medley.control.watch.StepMerger;
import dev.medley.net.control.Message;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says goodbye to the workers of a run that ends, and waits until they have hung up. The launcher's
 * close kills any that does not. What they still have for the record is passed on.
 */
record Farewell(
        Roster roster,
        Inbox inbox,
        OwnFailures ownFailures,
        MessageCheck claims,
        StepMerger merger,
        Clock clock) {
    private static final Logger LOG = LoggerFactory.getLogger(Farewell.class);
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    void say(RunOutcome outcome) throws InterruptedException {
        roster.connections().forEach(c -> c.send(new Message.Close(false, outcome.why())));
        long deadlineNs = clock.awakeNs() + TIMEOUT_NS;
        while (!roster.isEmpty() && clock.awakeNs() < deadlineNs) {
            Event event = inbox.next(deadlineNs - clock.awakeNs());
            if (event instanceof Event.HungUp hungUp) {
                roster.hungUp(hungUp.by());
            } else if (event instanceof Event.Interrupted) {
                return;
            } else if (event instanceof Event.Said said) {
                WorkerId worker = roster.worker(said.by());
                if (worker != null) {
                    take(worker, said);
                }
            }
        }
    }

    /** The outcome is known: what somebody says now does not change it. */
    private void take(WorkerId worker, Event.Said said) {
        try {
            claims.require(worker, said.message());
            passOn(worker, said.message(), ownFailures.watched());
        } catch (RuntimeException e) {
            LOG.warn("the last words of {} are left out", worker, ownFailures.unlessOwn(e));
        }
    }

    private void passOn(WorkerId worker, Message message, RunWatcher watcher) {
        if (message instanceof Message.Noted noted && !noted.kind().equals("links")) {
            watcher.noted(worker, noted.kind(), noted.value());
        } else if (message instanceof Message.Steps steps) {
            merger.add(steps.epoch(), worker, steps.steps());
            watcher.carried(worker, steps.epoch(), steps.links());
            watcher.relayed(worker, steps.epoch(), steps.relayed());
        }
    }
}
