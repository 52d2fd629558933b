package dev.medley.api.predict;

import dev.medley.base.Version;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A worker process of another build, or of another job, as its environment says. */
final class StrangePredictor {
    static final String BUILD = "STRANGE_BUILD";
    static final String JOB = "STRANGE_JOB";

    private StrangePredictor() {}

    /** Says hello and leaves when it is told to. */
    public static void main(String[] args) throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        ControlConnection connection =
                ControlConnection.connect(
                        new InetSocketAddress(args[0], Integer.parseInt(args[1])),
                        TimeUnit.SECONDS.toNanos(10),
                        JoinSecret.ofRun(System.getenv(ControlServer.SECRET_VARIABLE)),
                        new ControlConnection.Handler() {
                            @Override
                            public void received(ControlConnection from, Message message) {
                                told.countDown();
                            }

                            @Override
                            public void closed(ControlConnection ended, String why) {
                                told.countDown();
                            }
                        });
        connection.send(
                new Message.Hello(
                        System.getenv().getOrDefault(BUILD, Version.build()),
                        System.getenv(JOB),
                        Integer.parseInt(args[2]),
                        ProcessHandle.current().pid()));
        told.await();
        connection.close();
    }
}
