package dev.medley.tenant.door;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * Holds one answer to ListObjectsV2.
 *
 * @param folders names up to a delimiter, in place of what begins with them
 * @param most objects and folders of an answer
 * @param isUrlEncoded whether names are percent-encoded, as clients may ask
 * @param next with which the next answer begins; empty for none
 */
record ObjectPage(
        String prefix,
        String delimiter,
        List<DoorExtract> objects,
        List<String> folders,
        int most,
        boolean isUrlEncoded,
        String next) {
    private static final int MOST = 1000;

    /** Finds an object by its name. */
    interface Look {
        DoorExtract at(String key) throws IOException;
    }

    /** The answer to a question about the objects of these names. */
    static ObjectPage of(AskedTarget asked, Collection<String> keys, Look look) throws IOException {
        String prefix = text(asked, "prefix");
        String delimiter = text(asked, "delimiter");
        String token = text(asked, "continuation-token");
        String after = token.isEmpty() ? text(asked, "start-after") : token;
        int most = most(asked);
        List<DoorExtract> objects = new ArrayList<>();
        TreeSet<String> folders = new TreeSet<>();
        String next = "";
        String last = after;
        for (String key : new TreeSet<>(keys)) {
            if (!key.startsWith(prefix) || key.compareTo(after) <= 0) {
                continue;
            }
            int cut = delimiter.isEmpty() ? -1 : key.indexOf(delimiter, prefix.length());
            String folder = cut < 0 ? "" : key.substring(0, cut + delimiter.length());
            if (!folder.isEmpty() && (folders.contains(folder) || after.startsWith(folder))) {
                last = key;
                continue;
            }
            if (objects.size() + folders.size() == most) {
                next = last;
                break;
            }
            last = key;
            if (folder.isEmpty()) {
                objects.add(look.at(key));
            } else {
                folders.add(folder);
            }
        }
        return new ObjectPage(
                prefix,
                delimiter,
                objects,
                List.copyOf(folders),
                most,
                text(asked, "encoding-type").equals("url"),
                next);
    }

    private static int most(AskedTarget asked) {
        String given = text(asked, "max-keys");
        if (given.isEmpty()) {
            return MOST;
        }
        if (!given.matches("\\d{1,9}")) {
            throw new DoorFailure(400, "InvalidArgument", "max-keys is no whole number");
        }
        return Math.min(MOST, Integer.parseInt(given));
    }

    private static String text(AskedTarget asked, String name) {
        String given = asked.parameter(name);
        return given == null ? "" : given;
    }

    /** A name as it is written. */
    String shown(String name) {
        return isUrlEncoded ? UriText.encodedPath(name) : name;
    }
}
