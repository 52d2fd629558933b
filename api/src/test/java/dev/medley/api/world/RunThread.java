package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.job.JobSpec;
import dev.medley.base.time.Clock;
import dev.medley.control.watch.RunOutcome;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Holds a run whose command is a thread: what it said, what is awaited of it, and its end. */
public final class RunThread implements AutoCloseable {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(180);
    private static final Pattern JOIN = Pattern.compile("--join (127\\.0\\.0\\.1):(\\d+)");

    private final WorkerThreads workers = new WorkerThreads();
    private final CompletableFuture<RunResult> end = new CompletableFuture<>();
    private final Clock clock = Clock.system();
    private final Watching watching = new Watching();
    private final Runnable atBegin;

    /** What was seen so far; waiting threads are told of each. */
    private final class Watching implements RunProgress {
        private final List<RunEvent> events = new CopyOnWriteArrayList<>();
        private volatile long lastStep;
        private volatile RunFolder folder;
        private final AtomicInteger evaluations = new AtomicInteger();
        private volatile Interruptible run = () -> {};

        @Override
        public void began(RunFolder begun) {
            folder = begun;
            atBegin.run();
            tell();
        }

        @Override
        public void stepped(StepRecord step) {
            lastStep = step.step();
            tell();
        }

        @Override
        public void evaluated(EvaluationRecord evaluation) {
            evaluations.incrementAndGet();
            tell();
        }

        @Override
        public void happened(RunEvent event) {
            events.add(event);
            tell();
        }

        @Override
        public void interruptible(Interruptible interruptible) {
            run = interruptible;
        }
    }

    private RunThread(Runnable atBegin) {
        this.atBegin = atBegin;
    }

    static RunThread start(JobSpec job, RunOptions options, Runnable atBegin) {
        RunThread run = new RunThread(atBegin);
        Thread thread = new Thread(() -> run.train(job, options), "command");
        thread.setDaemon(true);
        thread.start();
        return run;
    }

    private void train(JobSpec job, RunOptions options) {
        try {
            end.complete(JobRun.train(job, options.startingWorkers(workers), watching));
        } catch (RuntimeException | Error e) {
            end.completeExceptionally(e);
        }
        tell();
    }

    private synchronized void tell() {
        notifyAll();
    }

    /** Waits until it holds, which is looked at whenever the run said something. */
    public synchronized void await(String what, BooleanSupplier holds) throws InterruptedException {
        long untilNs = clock.nowNs() + PATIENCE_NS;
        while (!holds.getAsBoolean()) {
            long leftNs = untilNs - clock.nowNs();
            if (end.isDone() || leftNs <= 0) {
                throw new AssertionError(
                        "never %s; the run %s and said:%n%s"
                                .formatted(what, end.isDone() ? "ended" : "goes on", said()));
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
        }
    }

    /** Waits until it has taken that step or a later one. */
    public void awaitStep(long step) throws InterruptedException {
        await("in step " + step, () -> watching.lastStep >= step);
    }

    /** Waits until it has taken so many steps more. */
    public void awaitMoreSteps(long steps) throws InterruptedException {
        awaitStep(watching.lastStep + steps);
    }

    /** Waits until so many of the run's events hold those words. */
    public void awaitEvents(String words, int count) throws InterruptedException {
        await(count + " times '" + words + "'", () -> events(words) >= count);
    }

    /** Waits until so many workers are lost. */
    public void awaitLosses(int count) throws InterruptedException {
        await(
                count + " workers lost",
                () ->
                        watching.events.stream()
                                        .filter(event -> event.kind() == RunEvent.Kind.LOST)
                                        .count()
                                >= count);
    }

    private long events(String words) {
        return watching.events.stream().filter(event -> event.message().contains(words)).count();
    }

    /** How often it has evaluated. */
    int evaluations() {
        return watching.evaluations.get();
    }

    /** All messages of its events. */
    public String said() {
        StringBuilder said = new StringBuilder();
        watching.events.forEach(
                event ->
                        said.append(event.kind())
                                .append(": ")
                                .append(event.message())
                                .append('\n'));
        return said.toString();
    }

    /** Where agents can join it; waits until it listens. */
    public InetSocketAddress listening() {
        try {
            await("listening", () -> JOIN.matcher(said()).find());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Matcher join = JOIN.matcher(said());
        assertThat(join.find()).isTrue();
        return InetSocketAddress.createUnresolved(join.group(1), Integer.parseInt(join.group(2)));
    }

    /** Kills the n-th, from 1, of its own workers that live. */
    public void kill(int n) {
        workers.kill(n);
    }

    /** Kills all of them, one right after the other. */
    public void killAll() {
        workers.killAll();
    }

    /** Waits for its end by itself. */
    public RunRecord completed() throws InterruptedException {
        return ended(RunOutcome.Kind.COMPLETED);
    }

    /** Waits for its failure, of that kind. */
    RunRecord failed(FailureKind kind) throws InterruptedException {
        RunRecord record = ended(RunOutcome.Kind.FAILED);
        assertThat(end.join().outcome().failure()).isEqualTo(kind);
        return record;
    }

    /** Asks it to end after the step under way. */
    void interrupt() {
        watching.run.interrupt();
    }

    /** Ends it after the step under way. */
    public RunRecord interrupted() throws InterruptedException {
        interrupt();
        return ended(RunOutcome.Kind.INTERRUPTED);
    }

    private RunRecord ended(RunOutcome.Kind as) throws InterruptedException {
        try {
            RunResult result = end.get(PATIENCE_NS, TimeUnit.NANOSECONDS);
            assertThat(result.outcome().kind()).as(said()).isEqualTo(as);
            return RunRecord.read(result.folder());
        } catch (ExecutionException e) {
            throw new AssertionError(said(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("the run does not end:\n" + said(), e);
        }
    }

    /** Its record so far. */
    public RunRecord record() {
        return RunRecord.read(watching.folder);
    }

    /** Its folder, when it has begun. */
    RunFolder folder() {
        return watching.folder;
    }

    /** Interrupted twice: at once. */
    @Override
    public void close() throws Exception {
        if (!end.isDone()) {
            watching.run.interrupt();
            watching.run.interrupt();
            end.handle((result, error) -> true).get(PATIENCE_NS, TimeUnit.NANOSECONDS);
        }
    }
}
