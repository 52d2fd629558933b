package dev.medley.control.coordinator;

import dev.medley.control.coordinator.FakeWorkers.Script;
import dev.medley.control.coordinator.FakeWorkers.Worker;
import dev.medley.net.control.Message;
import dev.medley.net.membership.View;
import java.io.IOException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A script in a few words: what is not said is as a good worker does it. */
public final class Acting implements Script {
    static final long LAST_STEP = 8;

    private Launching launched = Acting::join;
    private Consumer<Worker> welcomed = Worker::ready;
    private BiConsumer<Worker, View> formed;
    private BiConsumer<Worker, Integer> paused = Worker::reportSealed;
    private BiConsumer<Worker, Message.Close> closed = (worker, close) -> worker.leave(0);

    /** What a start may come to. */
    interface Launching {
        void by(Worker worker) throws IOException;
    }

    private Acting(BiConsumer<Worker, View> formed) {
        this.formed = formed;
    }

    /** Workers that train to the last step as soon as they have a group. */
    public static Acting training() {
        return new Acting((worker, view) -> train(worker));
    }

    /** Workers that take no step. */
    public static Acting idle() {
        return new Acting((worker, view) -> {});
    }

    public static void join(Worker worker) throws IOException {
        worker.connect();
        worker.hello();
    }

    public static void train(Worker worker) {
        worker.stepTo(LAST_STEP);
        worker.finish("hash");
    }

    Acting whenLaunched(Launching act) {
        launched = act;
        return this;
    }

    /** Only the worker of that start: the others join. */
    Acting whenLaunched(int launch, Launching act) {
        return whenLaunched(
                worker -> {
                    if (worker.launch == launch) {
                        act.by(worker);
                    } else {
                        join(worker);
                    }
                });
    }

    public Acting whenWelcomed(Consumer<Worker> act) {
        welcomed = act;
        return this;
    }

    public Acting whenFormed(BiConsumer<Worker, View> act) {
        formed = act;
        return this;
    }

    /** Only the worker of that start: the others take no step. */
    public Acting whenFormed(int launch, Consumer<Worker> act) {
        return whenFormed(
                (worker, view) -> {
                    if (worker.launch == launch) {
                        act.accept(worker);
                    }
                });
    }

    /** In place of the report that a group has come to its end. */
    Acting whenPaused(Consumer<Worker> act) {
        paused = (worker, epoch) -> act.accept(worker);
        return this;
    }

    public Acting whenClosed(Consumer<Worker> act) {
        closed = (worker, close) -> act.accept(worker);
        return this;
    }

    @Override
    public void launched(Worker worker) throws IOException {
        launched.by(worker);
    }

    @Override
    public void welcomed(Worker worker) {
        welcomed.accept(worker);
    }

    @Override
    public void formed(Worker worker, View view) {
        formed.accept(worker, view);
    }

    @Override
    public void paused(Worker worker, int epoch) {
        paused.accept(worker, epoch);
    }

    @Override
    public void closed(Worker worker, Message.Close close) {
        closed.accept(worker, close);
    }
}
