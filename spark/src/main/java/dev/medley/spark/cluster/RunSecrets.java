package dev.medley.spark.cluster;

import dev.medley.base.OwnFolder;
import dev.medley.net.tls.JoinCredentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Writes what only the machines of a run know into files that only this user reads. */
final class RunSecrets {
    private RunSecrets() {}

    /**
     * As an agent and a coordinator read them.
     *
     * @param folder which is there
     * @param token of the run's machines
     * @param identity their certificate, in Base64; null where there is none
     */
    static void write(Path folder, String token, @Nullable String identity) throws IOException {
        write(folder.resolve(JoinCredentials.TOKEN), token.getBytes(StandardCharsets.US_ASCII));
        if (identity != null) {
            write(folder.resolve(JoinCredentials.IDENTITY), Base64.getDecoder().decode(identity));
        }
    }

    private static void write(Path file, byte[] secret) throws IOException {
        Files.createFile(file, OwnFolder.only("rw-------"));
        Files.write(file, secret);
    }
}
