package dev.medley.training.worker;

import dev.medley.base.Clock;
import dev.medley.base.Json;
import dev.medley.base.job.JobSpec;
import dev.medley.base.memory.NamedSpan;
import dev.medley.profile.record.RunFolder;
import dev.medley.store.file.WriteFailure;
import dev.medley.store.model.ModelDescription;
import dev.medley.store.model.ModelFolder;
import dev.medley.store.model.Provenance;
import dev.medley.training.loop.WorkerState;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The run's model folder: the best model so far by the first metric, or the last one where nothing
 * is evaluated. Offers copy the parameters and return; a thread writes. Of several offers in one
 * write's time only the last is written.
 */
final class BestModel implements AutoCloseable {
    private static final long TIMEOUT_S = 120;

    private record Offer(List<NamedSpan> weights, Map<String, Double> figures, long step) {}

    private final Assignment assignment;
    private final WorkerState state;
    private final Clock clock;
    private final ExecutorService writer =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread thread = new Thread(task, "model-writer");
                        thread.setDaemon(true);
                        return thread;
                    });

    private @Nullable Offer waiting;
    private @Nullable Future<?> writing;
    private boolean hasOffered;

    BestModel(Assignment assignment, WorkerState state, Clock clock) {
        this.assignment = assignment;
        this.state = state;
        this.clock = clock;
    }

    /** The parameters as they are now are the best. */
    void offer(Map<String, Double> figures) {
        Offer offer =
                new Offer(state.replica().export(), Map.copyOf(figures), state.state().step());
        synchronized (this) {
            waiting = offer;
        }
        hasOffered = true;
        writing = writer.submit(this::writeWaiting);
    }

    /**
     * Waits until the best model is on the disk; where none was ever offered, the present one is.
     */
    void finish() {
        if (!hasOffered && state.state().best() == null) {
            offer(Map.of());
        }
        Future<?> last = writing;
        if (last == null) {
            return;
        }
        try {
            last.get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the model could not be written: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "the model was not written within " + TIMEOUT_S + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        writer.shutdown();
    }

    private void writeWaiting() {
        Offer offer;
        synchronized (this) {
            offer = waiting;
            waiting = null;
        }
        if (offer == null) {
            return;
        }
        JobSpec job = assignment.job();
        RunFolder run = RunFolder.at(Path.of(assignment.runFolder()));
        Provenance provenance =
                new Provenance(
                        run.name(),
                        Instant.ofEpochMilli(clock.wallMillis()).toString(),
                        assignment.data().dataHash(),
                        job.seed(),
                        Json.tree(job),
                        assignment.versions());
        ModelDescription description =
                new ModelDescription(
                        job.model(),
                        job.train().loss(),
                        assignment.data().signature(),
                        Json.tree(assignment.data().encoding()),
                        offer.figures(),
                        provenance);
        try {
            ModelFolder.write(run.model(), description, offer.weights());
        } catch (WriteFailure e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
