package dev.medley.tenant.door;

import com.linecorp.armeria.common.RequestHeaders;
import dev.medley.base.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Checks a request's AWS Signature Version 4 in its Authorization header. It covers method, path,
 * query, host, time, the hash of the body and every {@code x-amz-} header, so none of these can be
 * changed or added on the way. A signature is good for 15 minutes around the door's time.
 *
 * @param name the access key, which is a caller's name if the signature is right
 * @param scope date, region, service
 * @param signed names of headers, in their order
 * @param given hexadecimal signature
 */
record AwsSignature(String name, List<String> scope, List<String> signed, String given) {
    static final String ALGORITHM = "AWS4-HMAC-SHA256";
    static final long SKEW_MS = 15 * 60 * 1000;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT);

    /** The signature in an Authorization header. */
    static AwsSignature of(String header) {
        Map<String, String> parts = new HashMap<>();
        for (String part : header.substring(ALGORITHM.length()).split(",", -1)) {
            String[] pair = part.strip().split("=", 2);
            if (pair.length != 2 || parts.put(pair[0], pair[1]) != null) {
                throw malformed();
            }
        }
        List<String> credential =
                Arrays.asList(
                        Objects.requireNonNullElse(parts.get("Credential"), "").split("/", -1));
        String names = Objects.requireNonNullElse(parts.get("SignedHeaders"), "");
        String signature = Objects.requireNonNullElse(parts.get("Signature"), "");
        int name = credential.size() - 4;
        if (parts.size() != 3
                || name < 1
                || !credential.get(name + 2).equals("s3")
                || !credential.get(name + 3).equals("aws4_request")
                || !isAscending(names.split(";", -1))
                || !signature.matches("[0-9a-f]{64}")) {
            throw malformed();
        }
        return new AwsSignature(
                String.join("/", credential.subList(0, name)),
                credential.subList(name, name + 3),
                Arrays.asList(names.split(";", -1)),
                signature);
    }

    /** Each header once: what is signed is no longer than what came. */
    private static boolean isAscending(String[] names) {
        for (int i = 1; i < names.length; i++) {
            if (names[i - 1].compareTo(names[i]) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static DoorFailure malformed() {
        return new DoorFailure(
                400,
                "AuthorizationHeaderMalformed",
                "the Authorization header is no AWS Signature Version 4 for s3");
    }

    /**
     * Throws unless this is the signature of a request by who has {@code secret}.
     *
     * @param nowMs since 1970
     * @return SHA-256 of the body that was signed
     */
    String check(RequestHeaders headers, AskedTarget target, String secret, long nowMs) {
        requireSigned(headers);
        String time = requireOnce(headers, "x-amz-date");
        requireTime(time, nowMs);
        String payload = requireOnce(headers, "x-amz-content-sha256");
        if (payload.startsWith("STREAMING-")) {
            throw DoorFailure.notImplemented("bodies in signed pieces are for uploads: none here");
        }
        String canonical =
                String.join(
                        "\n",
                        headers.method().name(),
                        UriText.encodedPath(target.path()),
                        UriText.encodedQuery(target.query()),
                        canonicalHeaders(headers),
                        String.join(";", signed),
                        payload);
        String text =
                String.join(
                        "\n",
                        ALGORITHM,
                        time,
                        String.join("/", scope) + "/aws4_request",
                        Sha256.hex(canonical));
        byte[] expected = hmac(key(secret), text);
        if (!MessageDigest.isEqual(expected, HexFormat.of().parseHex(given))) {
            throw wrong();
        }
        return payload;
    }

    /** The same for who is unknown and for who has the wrong secret. */
    static DoorFailure wrong() {
        return new DoorFailure(
                403,
                "SignatureDoesNotMatch",
                "no caller of this door has this access key and this secret, or the request was"
                        + " changed on its way");
    }

    private void requireSigned(RequestHeaders headers) {
        for (String needed : List.of("host", "x-amz-date", "x-amz-content-sha256")) {
            if (!signed.contains(needed)) {
                throw DoorFailure.denied("the signature does not cover " + needed);
            }
        }
        headers.names().stream()
                .map(Object::toString)
                .filter(name -> name.startsWith("x-amz-") && !signed.contains(name))
                .findAny()
                .ifPresent(
                        name -> {
                            throw DoorFailure.denied(
                                    "the signature does not cover all x-amz- headers");
                        });
    }

    private static String requireOnce(RequestHeaders headers, String name) {
        List<String> values = headers.getAll(name);
        if (values.size() != 1) {
            throw DoorFailure.denied("the header %s has to be there once".formatted(name));
        }
        return values.get(0);
    }

    private void requireTime(String time, long nowMs) {
        long atMs;
        try {
            atMs = LocalDateTime.parse(time, TIME).toInstant(ZoneOffset.UTC).toEpochMilli();
        } catch (DateTimeException e) {
            throw DoorFailure.denied("x-amz-date is no time as 20261128T180000Z");
        }
        if (!time.startsWith(scope.get(0) + "T")) {
            throw malformed();
        }
        if (Math.abs(atMs - nowMs) > SKEW_MS) {
            throw new DoorFailure(
                    403,
                    "RequestTimeTooSkewed",
                    "the request was signed more than 15 minutes before or after the door's time");
        }
    }

    private String canonicalHeaders(RequestHeaders headers) {
        StringBuilder all = new StringBuilder();
        for (String name : signed) {
            List<String> values =
                    name.equals("host")
                            ? List.of(Objects.requireNonNullElse(headers.authority(), ""))
                            : headers.getAll(name);
            List<String> tidy = values.stream().map(v -> v.strip().replaceAll(" +", " ")).toList();
            all.append(name).append(':').append(String.join(",", tidy)).append('\n');
        }
        return all.toString();
    }

    private byte[] key(String secret) {
        byte[] key = ("AWS4" + secret).getBytes(StandardCharsets.UTF_8);
        for (String part : scope) {
            key = hmac(key, part);
        }
        return hmac(key, "aws4_request");
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }
}
