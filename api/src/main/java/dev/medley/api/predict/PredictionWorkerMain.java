package dev.medley.api.predict;

import dev.medley.api.TrainedModel;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Version;
import dev.medley.base.job.JobStart;
import dev.medley.data.batch.TrainingData;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.door.JoinSecret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Runs a worker process that predicts: {@code PredictionWorkerMain HOST PORT LAUNCH}, with the
 * secret in the environment. It says hello, is welcomed with a {@link PredictionTask}, and computes
 * one block after the other. It leaves when the connection ends, be it that the command that
 * started it is done or that it died.
 */
public final class PredictionWorkerMain {
    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long LAST_WORDS_NS = TimeUnit.SECONDS.toNanos(5);

    private PredictionWorkerMain() {}

    /** Predicts until told to leave. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Signal.handle(new Signal("INT"), SignalHandler.SIG_IGN);
        Inbox inbox = new Inbox();
        String token = System.getenv().getOrDefault(ControlServer.SECRET_VARIABLE, "");
        ControlConnection connection =
                ControlConnection.connect(
                        new InetSocketAddress(args[0], Integer.parseInt(args[1])),
                        CONNECT_NS,
                        JoinSecret.ofRun(token),
                        inbox);
        connection.send(
                new Message.Hello(
                        Version.build(),
                        job(),
                        Integer.parseInt(args[2]),
                        ProcessHandle.current().pid()));
        try {
            predict(connection, inbox);
        } catch (ConfigException e) {
            connection.send(new Message.Failed(FailureKind.INPUT, "" + e.getMessage()));
        }
        connection.closeAfterSending(LAST_WORDS_NS);
        Runtime.getRuntime().halt(0); // Threads of LibTorch are not waited for.
    }

    private static String job() {
        String start = System.getenv(JobStart.VARIABLE);
        return start == null ? "" : JobStart.parse(start).job().toString();
    }

    private static void predict(ControlConnection connection, Inbox inbox)
            throws InterruptedException {
        if (!(inbox.next() instanceof Message.Welcome welcome)) {
            return;
        }
        PredictionTask task = Json.bind(welcome.assignment(), PredictionTask.class);
        try (TrainedModel model = TrainedModel.load(Path.of(task.model()), task.threads());
                TrainingData samples = model.open(task.data())) {
            while (inbox.next() instanceof Message.Predict block) {
                var outputs = model.predict(samples.validation(block.from(), block.to()));
                connection.send(
                        new Message.Predicted(
                                block.from(),
                                Outputs.rows(outputs, (int) (block.to() - block.from()))));
            }
        }
    }

    /** What was said to this worker; the end of the connection is a message to leave. */
    private static final class Inbox implements ControlConnection.Handler {
        private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();

        /** Waits as long as the connection lasts. */
        Message next() throws InterruptedException {
            return messages.take();
        }

        @Override
        public void received(ControlConnection from, Message message) {
            messages.add(message);
        }

        @Override
        public void closed(ControlConnection connection, String why) {
            messages.add(new Message.Close(false, why));
        }
    }
}
