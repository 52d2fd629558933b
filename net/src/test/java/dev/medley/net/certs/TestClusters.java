package dev.medley.net.certs;

import dev.medley.base.time.Clock;
import dev.medley.net.tls.Credentials;
import dev.medley.net.tls.JoinCredentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Two clusters for tests, with real certificates; made once, since keytool takes its time. */
public final class TestClusters {
    private static final int DAYS = 2;
    private static final Path FOLDER = makeAll();

    /** Machines of the cluster, of another, and one whose certificate is out of date. */
    public enum Who {
        ONE("ours/one"),
        OTHER("ours/other"),
        STRANGER("theirs/stranger"),
        OUT_OF_DATE("ours/late"),
        TOO_EARLY("ours/early");

        private final String place;

        Who(String place) {
            this.place = place;
        }

        public Path folder() {
            return FOLDER.resolve(place);
        }

        public Path identity() {
            return folder().resolve(JoinCredentials.IDENTITY);
        }

        /** Its credentials, loaded when they were in date. */
        public Credentials credentials() {
            return Credentials.load(identity(), whenInDate());
        }

        private Clock whenInDate() {
            return switch (this) {
                case OUT_OF_DATE -> shifted(-4);
                case TOO_EARLY -> shifted(6);
                default -> Clock.system();
            };
        }
    }

    private TestClusters() {}

    /** A clock that goes wrong by some days. */
    public static Clock shifted(int days) {
        return new Clock() {
            @Override
            public long nowNs() {
                return Clock.system().nowNs();
            }

            @Override
            public long wallMillis() {
                return Clock.system().wallMillis() + days * 86_400_000L;
            }
        };
    }

    private static Path makeAll() {
        try {
            Path folder = Files.createTempDirectory("medley-clusters-");
            make(folder.resolve("ours"), "-1d", "one", "other");
            make(folder.resolve("ours"), "-5d", "late");
            make(folder.resolve("ours"), "+5d", "early");
            make(folder.resolve("theirs"), "-1d", "stranger");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> PrivateFiles.discard(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void make(Path folder, String start, String... names) {
        Keytool usual = Keytool.ofThisJava();
        new ClusterFolder(folder, Clock.system(), new Keytool(usual.program(), start))
                .make(List.of(names), DAYS);
    }
}
