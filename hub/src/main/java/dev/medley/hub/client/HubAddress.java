package dev.medley.hub.client;

import dev.medley.base.ConfigException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says where a hub is. */
public record HubAddress(String host, int port) {
    /** Where a hub listens that was not told otherwise. */
    public static final int USUAL_PORT = 7070;

    private static final Pattern FORM =
            Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[^:\\[\\]\\s/]+)(?::(\\d{1,5}))?");

    public HubAddress {
        ConfigException.check(
                port >= 1 && port <= 65535, "a hub at port %d: give one from 1 to 65535", port);
    }

    /** Of a server in this process or a known one. */
    public static HubAddress of(InetSocketAddress address) {
        return new HubAddress(address.getAddress().getHostAddress(), address.getPort());
    }

    /**
     * From {@code HOST} or {@code HOST:PORT}, an IPv6 address in brackets.
     *
     * @throws ConfigException if it is neither
     */
    public static HubAddress parse(String text) {
        Matcher parts = FORM.matcher(text.strip());
        ConfigException.check(
                parts.matches(),
                "'%s' says no hub: give HOST:PORT, such as hub.example:%d",
                text,
                USUAL_PORT);
        String host = parts.group(1).replace("[", "").replace("]", "");
        String port = parts.group(2);
        return new HubAddress(host, port == null ? USUAL_PORT : Integer.parseInt(port));
    }

    /**
     * With the host's number.
     *
     * @throws ConfigException if nobody knows the host
     */
    InetSocketAddress resolved() {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new ConfigException(
                    "the hub's host '%s' is not known here: check its name".formatted(host), e);
        }
    }

    /** As part of a URL. */
    String authority() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    @Override
    public String toString() {
        return authority();
    }
}
