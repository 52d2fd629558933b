package dev.medley.connect.salesforce.call;

import dev.medley.base.ConfigException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;

/**
 * Says who asks which org: a connected app whose certificate belongs to a private key on this
 * machine. The key and the consumer key are never printed.
 *
 * @param loginUrl {@code https://login.salesforce.com}, {@code https://test.salesforce.com} for a
 *     sandbox, or the org's own address
 * @param consumerKey of the connected app
 * @param user in whose name it is asked
 * @param keyFile the private key, PEM in PKCS 8
 * @param version of the API, such as {@code 61.0}
 */
public record SalesforceLogin(
        String loginUrl, String consumerKey, String user, Path keyFile, String version) {
    /** The version that is asked for unless another one is named. */
    public static final String USUAL_VERSION = "61.0";

    private static final int OLDEST = 58;
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    /** Checks that nothing secret can leave in the clear. */
    public SalesforceLogin {
        URI uri = address(loginUrl);
        boolean isSafe =
                "https".equals(uri.getScheme())
                        || ("http".equals(uri.getScheme()) && THIS_MACHINE.contains(uri.getHost()));
        ConfigException.check(
                uri.getRawUserInfo() == null && uri.getRawQuery() == null,
                "the login address holds more than a host: give one such as"
                        + " https://login.salesforce.com");
        ConfigException.check(
                isSafe && uri.getHost() != null,
                "the login address '%s' is not an https address: give one such as"
                        + " https://login.salesforce.com",
                loginUrl);
        ConfigException.check(
                version.matches("\\d+\\.0"), "API version '%s' is not of the form 61.0", version);
        ConfigException.check(
                Integer.parseInt(version.substring(0, version.indexOf('.'))) >= OLDEST,
                "API version %s is older than %d.0, the first with pages side by side: give %s",
                version,
                OLDEST,
                USUAL_VERSION);
        ConfigException.check(!consumerKey.isBlank(), "the consumer key is empty");
        ConfigException.check(!user.isBlank(), "the user is empty");
        loginUrl = loginUrl.replaceFirst("/+$", "");
    }

    private static URI address(String text) {
        try {
            return URI.create(text);
        } catch (
                IllegalArgumentException
                        e) { // Its message has the text, of which nobody knows what it is.
            throw new ConfigException(
                    "the login address is none: give one such as https://login.salesforce.com");
        }
    }

    /** To whom a claim is addressed: an org's own address is none of those that are taken. */
    String audience() {
        if (!loginUrl.endsWith(".my.salesforce.com")) {
            return loginUrl;
        }
        return loginUrl.contains(".sandbox.")
                ? "https://test.salesforce.com"
                : "https://login.salesforce.com";
    }

    @Override
    public String toString() {
        return user + " at " + loginUrl;
    }
}
