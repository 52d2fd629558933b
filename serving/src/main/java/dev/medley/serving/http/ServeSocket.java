package dev.medley.serving.http;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Says where a server listens.
 *
 * @param port 0 for any free one
 * @param tls with which it is spoken; null for plain HTTP
 */
public record ServeSocket(InetAddress address, int port, @Nullable ServeTls tls) {
    public ServeSocket {
        check(port >= 0 && port <= 65535, "port %d: give one from 0 to 65535", port);
    }

    /** On this machine's loopback, in plain HTTP. */
    public static ServeSocket onLoopback(int port) {
        return new ServeSocket(InetAddress.getLoopbackAddress(), port, null);
    }

    /** At a host of this machine. */
    public static ServeSocket at(String host, int port, @Nullable ServeTls tls) {
        try {
            return new ServeSocket(InetAddress.getByName(host), port, tls);
        } catch (UnknownHostException e) {
            throw new ConfigException(
                    "%s is no address: give one of this machine's to listen on".formatted(host), e);
        }
    }

    InetSocketAddress socketAddress() {
        return new InetSocketAddress(address, port);
    }
}
