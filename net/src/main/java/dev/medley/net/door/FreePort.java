package dev.medley.net.door;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds a port for a process that is to be started, which cannot choose one itself. */
public final class FreePort {
    private FreePort() {}

    /** A port on which nobody listens now; somebody else may take it before it is used. */
    public static int find() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
