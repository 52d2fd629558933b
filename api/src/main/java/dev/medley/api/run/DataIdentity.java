package dev.medley.api.run;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Sha256;
import dev.medley.base.Version;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.record.folder.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a run's data, which tells whether a resumed run has the data that it began with.
 * Parameters that were learnt under one encoding mean nothing under another, and positions in other
 * samples account for nothing.
 *
 * @param contents SHA-256 of the files' contents, in hex
 * @param encoding SHA-256 of what was fitted to them, in hex
 * @param medley the build that read them
 */
record DataIdentity(String contents, String encoding, String medley) {
    static DataIdentity of(PreparedData data) {
        // As it is read again: what is written and what was read have one form then.
        Encoding encoding = Json.bind(Json.tree(data.encoding()), Encoding.class);
        return new DataIdentity(data.dataHash(), Sha256.hex(Json.line(encoding)), Version.build());
    }

    /**
     * Refuses a run of other data. One that says nothing of its data, as of an earlier build or
     * since the file is damaged, is taken at its word.
     */
    static void require(RunFolder folder, PreparedData data) {
        DataIdentity before = read(folder);
        DataIdentity now = of(data);
        if (before == null) {
            return;
        }
        if (!before.contents().equals(now.contents())) {
            throw new ConfigException(
                    ("the data of the run in %s has changed since it began (SHA-256 %s, then %s):"
                                    + " put the files back as they were, or begin a new run (with"
                                    + " --init from the model in it, if there is one)")
                            .formatted(folder.path(), brief(now), brief(before)));
        }
        if (!before.encoding().equals(now.encoding())) {
            throw new ConfigException(
                    ("the data of the run in %s is read otherwise by Medley %s than by Medley %s,"
                                    + " with which it began, so its parameters do not fit: resume"
                                    + " with that build, or begin a new run (with --init from the"
                                    + " model in it, if there is one)")
                            .formatted(folder.path(), now.medley(), before.medley()));
        }
    }

    private static String brief(DataIdentity identity) {
        return identity.contents().substring(0, Math.min(12, identity.contents().length()));
    }

    private static @Nullable DataIdentity read(RunFolder folder) {
        if (!Files.exists(folder.dataIdentity())) {
            return null;
        }
        try {
            return Json.read(folder.dataIdentity(), DataIdentity.class);
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }
}
