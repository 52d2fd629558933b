package dev.medley.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A way to a port of this machine whose connections drop once so many bytes have passed one way, or
 * fall silent when they are told to.
 */
final class FrailWay implements AutoCloseable {
    private final ServerSocket door;
    private final int port;
    private final long mostBytes;
    private volatile boolean isSilent;

    FrailWay(int port, long mostBytes) {
        this.port = port;
        this.mostBytes = mostBytes;
        try {
            door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    /** From now on nothing passes, and no connection ends. */
    void fallSilent() {
        isSilent = true;
    }

    int port() {
        return door.getLocalPort();
    }

    @Override
    public void close() {
        drop(door);
    }

    private void accept() {
        try {
            while (true) {
                Socket from = door.accept();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), port);
                daemon(() -> pass(from, to));
                daemon(() -> pass(to, from));
            }
        } catch (IOException closed) {
            // No more callers.
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] bytes = new byte[1024];
        long passed = 0;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                if (!isSilent) {
                    to.getOutputStream().write(bytes, 0, count);
                }
                passed += count;
                if (passed > mostBytes) {
                    return;
                }
            }
        } catch (IOException broken) {
            // The other end has gone.
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    private static void drop(AutoCloseable open) {
        try {
            open.close();
        } catch (Exception ignored) {
            // It is gone.
        }
    }
}
