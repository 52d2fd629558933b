package dev.medley.benchmarks.serving;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Says what load to make.
 *
 * @param url http://HOST:PORT/PATH, or grpc://HOST:PORT/SERVICE/CALL
 * @param body file with that of each request; empty for none
 * @param headers lines of HTTP that go with it
 * @param connections of HTTP; over gRPC, calls under way at the same time
 * @param perSecond requests; 0 for as many as are answered (closed loop)
 * @param arrivals how they come, where there is a rate
 */
record LoadOptions(
        URI url,
        String body,
        List<String> headers,
        int connections,
        double perSecond,
        Arrivals arrivals,
        double warmSeconds,
        double seconds,
        long seed) {
    /** How requests come. */
    enum Arrivals {
        /** At equal distances. */
        CONSTANT,
        /** At random, as of many callers who know nothing of each other. */
        POISSON,
        /** In bursts: gaps of a gamma distribution whose deviation is twice its mean. */
        BURSTY
    }

    LoadOptions {
        check(connections >= 1, "--connections %d: give 1 or more", connections);
        check(perSecond >= 0, "--rate %s: give 0 or more", perSecond);
        check(seconds > 0 && warmSeconds >= 0, "--seconds and --warm: give more than 0");
    }

    static LoadOptions parse(List<String> words) {
        String url = value(words, "--url", "");
        check(!url.isEmpty(), "--url is missing: http://HOST:PORT/PATH or grpc://...");
        try {
            return new LoadOptions(
                    URI.create(url),
                    value(words, "--body", ""),
                    value(words, "--headers", "Content-Type: application/json")
                            .lines()
                            .map(String::strip)
                            .toList(),
                    Integer.parseInt(value(words, "--connections", "300")),
                    Double.parseDouble(value(words, "--rate", "0")),
                    Arrivals.valueOf(
                            value(words, "--arrivals", "poisson").toUpperCase(Locale.ROOT)),
                    Double.parseDouble(value(words, "--warm", "5")),
                    Double.parseDouble(value(words, "--seconds", "20")),
                    Long.parseLong(value(words, "--seed", "1")));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("an option is not understood: " + e.getMessage(), e);
        }
    }

    /** The body's bytes. */
    byte[] bytes() {
        try {
            return body.isEmpty() ? new byte[0] : Files.readAllBytes(Path.of(body));
        } catch (IOException e) {
            throw new ConfigException("--body %s cannot be read: %s".formatted(body, e), e);
        }
    }

    private static String value(List<String> words, String name, String otherwise) {
        int at = words.indexOf(name);
        check(at < 0 || at + 1 < words.size(), "%s needs a value after it", name);
        return at < 0 ? otherwise : words.get(at + 1);
    }
}
