package dev.medley.net.tls;

import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The join token and the credentials with which a machine joins a cluster, read from one folder.
 *
 * @param token known to the machines of the cluster and to nobody else
 * @param credentials of this machine
 */
public record JoinCredentials(String token, Credentials credentials) {
    /** The file of the key and the certificates in a machine's folder. */
    public static final String IDENTITY = "identity.p12";

    /** The file of the join token in a machine's folder. */
    public static final String TOKEN = "token";

    private static final Logger LOG = LoggerFactory.getLogger(JoinCredentials.class);
    private static final int LONGEST_TOKEN_BYTES = 1 << 10;
    private static final Pattern TOKEN_FORM = Pattern.compile("[0-9a-f]{64}");

    /**
     * Reads {@link #IDENTITY} and {@link #TOKEN} of a folder that {@code medley certs} made.
     *
     * @throws ConfigException if one is missing or cannot be used
     */
    public static JoinCredentials load(Path folder, Clock clock) {
        ConfigException.check(
                Files.isDirectory(folder),
                "%s is no folder: give the one of this machine that medley certs made, with %s and"
                        + " %s",
                folder,
                IDENTITY,
                TOKEN);
        Credentials credentials = Credentials.load(folder.resolve(IDENTITY), clock);
        String token = readToken(folder.resolve(TOKEN));
        warnIfOpen(folder.resolve(IDENTITY));
        warnIfOpen(folder.resolve(TOKEN));
        return new JoinCredentials(token, credentials);
    }

    /** Reads a join token. */
    public static String readToken(Path file) {
        String token;
        try {
            token = NamedFile.text(file, LONGEST_TOKEN_BYTES).strip();
        } catch (NoSuchFileException e) {
            throw new ConfigException(
                    "%s: no such file. medley certs makes one for each machine".formatted(file), e);
        } catch (IOException e) {
            throw new ConfigException("%s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
        ConfigException.check(
                TOKEN_FORM.matcher(token).matches(),
                "%s is no join token, which is 64 hexadecimal digits: copy it again from where"
                        + " medley certs was run",
                file);
        return token;
    }

    private static void warnIfOpen(Path file) {
        try {
            if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                LOG.warn("{} can be read by every user of this machine: chmod 600 {}", file, file);
            }
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("The permissions of {} are not known", file, e);
        }
    }

    /** Without the token: texts end up in logs. */
    @Override
    public String toString() {
        return "JoinCredentials[" + credentials + "]";
    }
}
