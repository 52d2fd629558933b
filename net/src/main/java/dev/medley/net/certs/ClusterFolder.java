package dev.medley.net.certs;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.net.tls.IdentityFile;
import dev.medley.net.tls.JoinCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes the folder of a cluster's authority. It holds {@code authority.p12}, which makes
 * certificates, {@code token}, which all machines share, and a folder for each machine, to be
 * copied to it. Files that exist are kept; only machines that are new get certificates.
 */
public final class ClusterFolder {
    /** Longest life of a certificate; the authority's own. */
    public static final int MOST_DAYS = 3650;

    private static final String AUTHORITY = "authority.p12";
    private static final int TOKEN_BYTES = 32;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Set<String> TAKEN = Set.of(AUTHORITY, JoinCredentials.TOKEN);

    private final Path folder;
    private final Clock clock;
    private final Keytool keytool;

    /**
     * A machine's folder.
     *
     * @param name of the machine
     * @param folder to be copied to it
     * @param validUntil after which its certificate is of no use
     * @param isNew whether it was made now; else it was there
     */
    public record Machine(String name, Path folder, Instant validUntil, boolean isNew) {}

    /**
     * The outcome of {@link #make}.
     *
     * @param authority the private file that makes certificates
     * @param authorityName as certificates name it
     * @param isNew whether the authority was made now
     * @param machines in the order asked for
     */
    public record Made(
            Path authority, String authorityName, boolean isNew, List<Machine> machines) {}

    /** The cluster of this folder, which need not exist. */
    public ClusterFolder(Path folder, Clock clock) {
        this(folder, clock, Keytool.ofThisJava());
    }

    ClusterFolder(Path folder, Clock clock, Keytool keytool) {
        this.folder = folder;
        this.clock = clock;
        this.keytool = keytool;
    }

    /**
     * Makes the authority and the token unless they are there, and a folder for each machine that
     * has none. Each file is written whole or not at all.
     *
     * @param days for which new certificates are valid
     * @throws ConfigException if a name or what is there cannot be used
     */
    public Made make(List<String> names, int days) {
        names.forEach(ClusterFolder::checkName);
        ConfigException.check(
                days >= 1 && days <= MOST_DAYS,
                "a certificate for %d days: between 1 and %d",
                days,
                MOST_DAYS);
        try {
            PrivateFiles.makeFolder(folder);
            Path file = folder.resolve(AUTHORITY);
            boolean isNew = !Files.exists(file);
            Path draft = PrivateFiles.draftFolder(folder);
            try {
                CertificateMaker maker =
                        new CertificateMaker(keytool, authority(draft, file), clock);
                String token = token(draft);
                List<Machine> machines =
                        names.stream()
                                .distinct()
                                .map(name -> machine(maker, draft, name, token, days))
                                .toList();
                return new Made(file, maker.authorityName(), isNew, machines);
            } finally {
                PrivateFiles.discard(draft);
            }
        } catch (IOException e) {
            throw new ConfigException(
                    "%s cannot be written: %s".formatted(folder, e.getMessage()), e);
        }
    }

    private static void checkName(String name) {
        ConfigException.check(
                NAME.matcher(name).matches() && !TAKEN.contains(name),
                "'%s' is no name for a machine: up to 63 letters, digits, dots, dashes and"
                        + " underscores, as in gpu-1.example.com",
                name);
    }

    private Path authority(Path draft, Path file) throws IOException {
        if (!Files.exists(file)) {
            Path made = draft.resolve(AUTHORITY);
            CertificateMaker.makeAuthority(keytool, made, MOST_DAYS);
            PrivateFiles.publish(made, file);
        }
        return file;
    }

    private String token(Path draft) throws IOException {
        Path file = folder.resolve(JoinCredentials.TOKEN);
        if (!Files.exists(file)) {
            byte[] bytes = new byte[TOKEN_BYTES];
            new SecureRandom().nextBytes(bytes);
            Path made = draft.resolve(JoinCredentials.TOKEN);
            Files.writeString(made, HexFormat.of().formatHex(bytes) + "\n");
            PrivateFiles.publish(made, file);
        }
        return JoinCredentials.readToken(file);
    }

    private Machine machine(
            CertificateMaker maker, Path draft, String name, String token, int days) {
        Path place = folder.resolve(name);
        if (Files.exists(place)) {
            return kept(maker, place, name, token);
        }
        try {
            Path made = Files.createDirectory(draft.resolve(name));
            Instant until =
                    maker.makeIdentity(draft, made.resolve(JoinCredentials.IDENTITY), name, days);
            Files.writeString(made.resolve(JoinCredentials.TOKEN), token + "\n");
            PrivateFiles.publish(made, place);
            return new Machine(name, place, until, true);
        } catch (IOException e) {
            throw new ConfigException(
                    "%s cannot be written: %s".formatted(place, e.getMessage()), e);
        }
    }

    /** What is there, if it is of this cluster; it may be out of date, which its end shows. */
    private Machine kept(CertificateMaker maker, Path place, String name, String token) {
        Path identity = place.resolve(JoinCredentials.IDENTITY);
        ConfigException.check(
                Files.isRegularFile(identity),
                "%s is there, and is no machine's folder: choose another name or folder",
                place);
        boolean isOurs =
                maker.hasMade(identity)
                        && JoinCredentials.readToken(place.resolve(JoinCredentials.TOKEN))
                                .equals(token);
        ConfigException.check(
                isOurs,
                "%s was made by another authority or with another token than %s: remove the folder,"
                        + " and run this again",
                place,
                folder.resolve(AUTHORITY));
        return new Machine(name, place, IdentityFile.read(identity).validUntil(), false);
    }
}
