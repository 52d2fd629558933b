package dev.medley.control.failure;

import dev.medley.base.ConfigException;
import dev.medley.base.Group;
import dev.medley.base.WorkerId;
import dev.medley.control.watch.RunOutcome;
import dev.medley.control.watch.RunWatcher;
import dev.medley.control.watch.StepMerger;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how a run ends, as soon as that is known: the first verdict holds. Owned by the agent.
 */
public final class Verdict {
    private static final Logger LOG = LoggerFactory.getLogger(Verdict.class);

    /** Members are some steps apart, and never so many. */
    private static final int MOST_HASHES = 1000;

    private final StepMerger merger;
    private final RunWatcher watcher;
    private final Set<WorkerId> finished = new HashSet<>();
    private final TreeMap<Long, String> hashes = new TreeMap<>();
    private @Nullable RunOutcome outcome;
    private boolean hasDrift;

    /** The last step of the group that was stopped; its members may still tell of it. */
    private long stoppedAt;

    /** Asks {@code merger} how far the run is, and tells {@code watcher}. */
    public Verdict(StepMerger merger, RunWatcher watcher) {
        this.merger = merger;
        this.watcher = watcher;
    }

    /** The outcome; null while the run goes on. */
    @Nullable
    public RunOutcome outcome() {
        return outcome;
    }

    /** Why the run ended, for the user; empty while it goes on. */
    String why() {
        return outcome == null ? "" : outcome.why();
    }

    /** The outcome, with the steps of which members told when it was known. */
    public RunOutcome last() {
        merger.flush(stoppedAt);
        return Objects.requireNonNull(outcome).notBefore(merger.lastStep());
    }

    /** Whether the run has failed and what its members hold is sound all the same. */
    boolean isStateSound() {
        return outcome != null
                && outcome.kind() == RunOutcome.Kind.FAILED
                && outcome.failure() != FailureKind.UNSOUND
                && !hasDrift;
    }

    /** Whether the run is over. */
    public boolean isKnown() {
        return outcome != null;
    }

    /** A new group computes from here on. */
    public void formed() {
        finished.clear();
        hashes.clear();
    }

    /** A member has nothing left to do; the run is over when all say so. */
    public void finished(WorkerId worker, Message.Finished done, Collection<WorkerId> members) {
        finished.add(worker);
        if (outcome == null && finished.containsAll(members)) {
            merger.flush(done.step());
            outcome =
                    new RunOutcome(
                            RunOutcome.Kind.COMPLETED,
                            done.step(),
                            done.why(),
                            null,
                            hashes.get(done.step()));
        }
    }

    /** Replicas that differ are a bug. */
    public void compareHash(WorkerId worker, long step, String hash) {
        String known = hashes.putIfAbsent(step, hash);
        if (hashes.size() > MOST_HASHES) {
            hashes.pollFirstEntry();
        }
        if (known == null) {
            watcher.hashed(step, hash);
        } else if (!known.equals(hash)) {
            hasDrift = true;
            fail(
                    FailureKind.BUG,
                    ("%s holds other parameters than its peers after step %d (hash %s, theirs %s):"
                                    + " this is a bug")
                            .formatted(worker, step, hash, known));
        }
    }

    /** The run ends badly. */
    public void fail(FailureKind kind, String message) {
        if (outcome == null) {
            outcome =
                    new RunOutcome(RunOutcome.Kind.FAILED, merger.lastStep(), message, kind, null);
        }
    }

    /** There is no plan for a group: it does not fit the job, or what plans know is at fault. */
    public void unplanned(Group group, RuntimeException why) {
        if (why instanceof ConfigException) {
            fail(FailureKind.INPUT, String.valueOf(why.getMessage()));
            return;
        }
        LOG.error("group {} cannot be planned", group.epoch(), why);
        String what = "group %d cannot be planned: %s: this is a bug";
        fail(FailureKind.BUG, what.formatted(group.epoch(), why));
    }

    /**
     * The members have stopped after {@code step}; what they saw of the last ones is on its way.
     */
    public void stopped(long step) {
        stoppedAt = step;
    }

    /** The run ends otherwise. */
    public void end(RunOutcome.Kind kind, String why) {
        if (outcome == null) {
            merger.flush(stoppedAt);
            outcome = new RunOutcome(kind, merger.lastStep(), why, null, null);
        }
    }
}
