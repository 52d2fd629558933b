package dev.medley.hub.http;

import dev.medley.base.ConfigException;
import dev.medley.net.tls.Credentials;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Says where a hub listens.
 *
 * @param port 0 for any free one
 * @param credentials with which it speaks TLS and wants a certificate of its authority from all;
 *     null for plain HTTP, which is for loopback alone
 */
public record HubSocket(InetAddress address, int port, @Nullable Credentials credentials) {
    public HubSocket {
        ConfigException.check(
                port >= 0 && port <= 65535, "port %d: give one from 0 to 65535", port);
        ConfigException.check(
                address.isLoopbackAddress() || credentials != null,
                "a hub at %s can be reached from other machines, so it needs --credentials: make"
                        + " them with medley certs, or listen on 127.0.0.1",
                address.getHostAddress());
    }

    /** On this machine's loopback, in plain HTTP. */
    public static HubSocket onLoopback(int port) {
        return new HubSocket(InetAddress.getLoopbackAddress(), port, null);
    }

    /**
     * At a host of this machine.
     *
     * @throws ConfigException if its name leads nowhere, or others reach it and there is no TLS
     */
    public static HubSocket at(String host, int port, @Nullable Credentials credentials) {
        try {
            return new HubSocket(InetAddress.getByName(host), port, credentials);
        } catch (UnknownHostException e) {
            throw new ConfigException(
                    "%s is no address: give one of this machine's to listen on".formatted(host), e);
        }
    }

    /** Where commands on this machine ask it. */
    InetSocketAddress seenHere(int portThatItGot) {
        InetAddress here = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
        return new InetSocketAddress(here, portThatItGot);
    }

    InetSocketAddress socketAddress() {
        return new InetSocketAddress(address, port);
    }
}
