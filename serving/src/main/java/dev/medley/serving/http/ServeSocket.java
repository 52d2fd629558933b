package dev.medley.serving.http;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * Says where a server listens.
 *
 * @param port 0 for any free one
 */
public record ServeSocket(InetAddress address, int port) {
    public ServeSocket {
        check(port >= 0 && port <= 65535, "port %d: give one from 0 to 65535", port);
    }

    /** At a host of this machine. */
    public static ServeSocket at(String host, int port) {
        try {
            return new ServeSocket(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new ConfigException(
                    "%s is no address: give one of this machine's to listen on".formatted(host), e);
        }
    }

    InetSocketAddress socketAddress() {
        return new InetSocketAddress(address, port);
    }
}
