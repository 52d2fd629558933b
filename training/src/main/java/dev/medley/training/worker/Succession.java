package dev.medley.training.worker;

import dev.medley.base.memory.NamedSpan;
import dev.medley.net.control.KeptState;
import dev.medley.training.loop.WorkerState;
import dev.medley.training.worker.RunModel.Judged;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures that the best model is kept though the worker that keeps it changes. Rank 0 offers it;
 * rank 1, which is next in turn, holds a copy, and offers that where it takes over before the best
 * one is kept. Where no worker has it any more the user is told, and the next evaluation that is as
 * good as the model that is kept takes its place, though the run has seen a better one.
 */
final class Succession {
    private static final Logger LOG = LoggerFactory.getLogger(Succession.class);

    private final BestModel best;
    private final WorkerState state;
    private final Consumer<String> tell;
    private final long loadedStep;
    private long knownStep; // Of the best model that is kept, or was offered here.
    private @Nullable Held held;
    private boolean isNew; // The keeper of this group has not looked yet what is kept.
    private @Nullable KeptState kept; // When it was looked last.
    private boolean isLost;
    private @Nullable Double beaten; // While it is lost: the figure of what is kept.

    private record Held(List<NamedSpan> weights, Judged judged, long step) {}

    /**
     * Of the run that {@code state} is of.
     *
     * @param tell sentences for the user
     */
    Succession(BestModel best, WorkerState state, Consumer<String> tell) {
        this.best = best;
        this.state = state;
        this.tell = tell;
        this.loadedStep = state.state().bestStep(); // A checkpoint follows the model it speaks of.
        this.knownStep = loadedStep;
    }

    /** A group begins. What a member that is behind had is void, or the others have it, too. */
    void formed(int epoch, int rank, boolean isBehind) {
        best.formed(epoch);
        isNew = rank == 0;
        if (isBehind) {
            held = null;
            best.forget();
        }
        if (isBehind || (isLost && rank > 0)) {
            isLost = false;
            knownStep = loadedStep;
        }
    }

    /** Whether this keeper takes a model that is as good as the one that is kept. */
    boolean isLost() {
        return isLost;
    }

    /** An evaluation is part of the state. */
    void evaluated(int rank, Judged judged) {
        boolean isBest = state.state().isBest();
        if (rank > 0 && isBest) {
            held = rank == 1 ? copy(judged) : null;
        } else if (rank == 0 && isBest) {
            isLost = false;
            knownStep = state.state().step();
            best.offer(judged);
        } else if (rank == 0 && isLost && isAsGood(judged.figures())) {
            isLost = !isKept(state.state().bestStep(), true);
            if (isLost) {
                beaten = best.model().figure(judged.figures());
                best.offer(judged);
            }
        }
    }

    private Held copy(Judged judged) {
        return new Held(state.learner().export(), judged, state.state().step());
    }

    private boolean isAsGood(Map<String, Double> figures) {
        Double figure = best.model().figure(figures);
        if (figure == null || figure.isNaN()) {
            return false;
        }
        boolean isHigherBetter = state.metrics().get(0).isHigherBetter();
        Double least = beaten;
        return least == null || (isHigherBetter ? figure >= least : figure <= least);
    }

    /** Between two steps: who keeps the model from this group on looks whether the best one is. */
    void atBorder() {
        if (!isNew) {
            return;
        }
        isNew = false;
        long step = state.state().bestStep();
        Held mine = held != null && held.step() == step ? held : null;
        held = null;
        if (step <= knownStep || isKept(step, mine == null)) {
            return;
        }
        knownStep = step;
        if (mine != null) {
            LOG.info("the model of step {} was not kept by who had to: it is now", step);
            best.offer(mine.weights(), mine.judged(), step);
            return;
        }
        isLost = true;
        beaten = kept == null ? null : kept.figure();
        tell.accept(
                ("the model of step %d, the best so far, was lost with the worker that had to keep"
                                + " it: the next one that is as good as the model that is kept"
                                + " takes its place")
                        .formatted(step));
    }

    private boolean isKept(long step, boolean ifUnknown) {
        try {
            kept = best.model().kept();
            return kept != null && kept.step() == step;
        } catch (IOException e) {
            LOG.warn("whether the model of step {} is kept is not known: {}", step, e.toString());
            return ifUnknown;
        }
    }
}
