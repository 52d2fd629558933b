package dev.medley.serving.route;

import dev.medley.base.ConfigException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a server to which requests are sent.
 *
 * @param host a name or an address; IPv6 in brackets
 * @param isTls whether TLS is spoken
 */
public record ReplicaAddress(String host, int port, boolean isTls) {
    private static final Pattern WRITTEN =
            Pattern.compile("(https?://)?([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.%]+\\]):([0-9]{1,5})/?");

    /** As people write it. */
    @Override
    public String toString() {
        return (isTls ? "https://" : "") + host + ":" + port;
    }

    /** Its root. */
    String url() {
        return (isTls ? "https://" : "http://") + host + ":" + port;
    }

    /**
     * One address: {@code HOST:PORT}, or {@code https://HOST:PORT}.
     *
     * @param where it was written, for the message
     */
    static ReplicaAddress parse(String text, String where) {
        Matcher written = WRITTEN.matcher(text);
        int port = written.matches() ? Integer.parseInt(written.group(3)) : 0;
        ConfigException.check(
                port >= 1 && port <= 65535,
                "%s: '%s' is no address of a server: give HOST:PORT or https://HOST:PORT, as in"
                        + " 10.0.0.7:8080",
                where,
                text);
        return new ReplicaAddress(written.group(2), port, "https://".equals(written.group(1)));
    }

    /**
     * Several, with commas or white space between them.
     *
     * @throws ConfigException if there is none, one twice, or one whose host nobody knows
     */
    public static List<ReplicaAddress> parseAll(String text, String where) {
        Set<ReplicaAddress> all = new LinkedHashSet<>();
        for (String each : text.strip().split("[,\\s]+", -1)) {
            if (each.isEmpty()) {
                continue;
            }
            ReplicaAddress address = parse(each, where);
            ConfigException.check(
                    all.stream()
                            .noneMatch(
                                    other ->
                                            other.port() == address.port()
                                                    && other.host()
                                                            .equalsIgnoreCase(address.host())),
                    "%s: %s is there twice: name each server once",
                    where,
                    address);
            all.add(address);
        }
        ConfigException.check(
                !all.isEmpty(), "%s: there is no server in it: give HOST:PORT, ...", where);
        return new ArrayList<>(all);
    }

    /**
     * Looks its host up.
     *
     * @throws ConfigException if nobody knows it
     */
    public void requireKnown(String where) {
        String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        try {
            InetAddress unused = InetAddress.getByName(plain);
        } catch (UnknownHostException e) {
            throw new ConfigException(
                    "%s: nobody knows the host '%s' of %s: is the name right?"
                            .formatted(where, host, this),
                    e);
        }
    }
}
