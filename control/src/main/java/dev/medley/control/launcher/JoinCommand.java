package dev.medley.control.launcher;

import java.net.InetSocketAddress;

/** Writes the command to type on a machine, so that it joins. */
public final class JoinCommand {
    private JoinCommand() {}

    /** For a coordinator that listens there; beyond loopback an agent needs credentials. */
    public static String at(InetSocketAddress address) {
        boolean isAny = address.getAddress().isAnyLocalAddress();
        return "medley agent --join %s:%d%s"
                .formatted(
                        isAny ? "THIS-HOST" : address.getHostString(),
                        address.getPort(),
                        address.getAddress().isLoopbackAddress() ? "" : " --credentials FOLDER");
    }
}
