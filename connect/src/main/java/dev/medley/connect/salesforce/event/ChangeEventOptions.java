package dev.medley.connect.salesforce.event;

import dev.medley.base.ConfigException;
import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * Says where change events come from and how long one waits for them.
 *
 * @param address of the Pub/Sub API
 * @param quiet after so long without an event all are taken for read, where the newest change of
 *     the object is among them
 * @param patience longest time without any sign: Salesforce gives one every 270 seconds
 * @param renewal an older place in the stream is renewed by a sign of Salesforce, since it forgets
 *     events after 72 hours
 */
public record ChangeEventOptions(
        String address, Duration quiet, Duration patience, Duration renewal) {
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    /** The one for all regions. */
    public static final ChangeEventOptions USUAL = at("https://api.pubsub.salesforce.com:7443");

    /** Checks that no token can leave in the clear. */
    public ChangeEventOptions {
        URI uri = uri(address);
        boolean isSafe =
                "https".equals(uri.getScheme())
                        || ("http".equals(uri.getScheme()) && THIS_MACHINE.contains(uri.getHost()));
        boolean isBare =
                uri.getRawUserInfo() == null
                        && uri.getRawQuery() == null
                        && (uri.getRawPath() == null || uri.getRawPath().matches("/?"));
        if (!isSafe || !isBare || uri.getHost() == null) {
            throw noAddress(address);
        }
        address = address.replaceFirst("/$", "");
    }

    /** With the usual patience. */
    public static ChangeEventOptions at(String address) {
        return new ChangeEventOptions(
                address, Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofHours(24));
    }

    private static URI uri(String address) {
        try {
            return URI.create(address);
        } catch (IllegalArgumentException e) {
            throw noAddress(address);
        }
    }

    private static ConfigException noAddress(String address) {
        return new ConfigException(
                "events: '%s' is no address of the Pub/Sub API: say true, or give one such as"
                                .formatted(address)
                        + " https://api.deu.pubsub.salesforce.com:7443");
    }
}
