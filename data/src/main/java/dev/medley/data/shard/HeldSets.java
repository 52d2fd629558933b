package dev.medley.data.shard;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds who holds the records of a set in this process. A set has a name in place of a folder,
 * which travels in the assignments of workers.
 *
 * <p>Thread: any.
 */
public final class HeldSets {
    private static final String PREFIX = "held:";
    private static final Map<String, RecordHolder> HOLDERS = new ConcurrentHashMap<>();

    private HeldSets() {}

    /**
     * Holds the records of a prepared set that lies in no file: another system of this process
     * keeps them, as Spark's executors do.
     *
     * <p>Thread: any.
     */
    public interface RecordHolder {
        /**
         * The bytes of a block, which may come from another machine.
         *
         * @return as many as the block has, not to be changed by anyone
         * @throws IOException if they cannot be had, with the reason
         */
        byte[] block(ShardFile file, long block) throws IOException;

        /** Whether a block is on this machine. */
        boolean isHere(ShardFile file, long block);
    }

    /** What stands in place of the folder of a set of that name. */
    public static String folder(String name) {
        return PREFIX + name;
    }

    /** Whether a folder is none but the name of a set that is held. */
    public static boolean isHeld(String folder) {
        return folder.startsWith(PREFIX);
    }

    /** From now on the set of that name is held by {@code holder} in this process. */
    public static void hold(String name, RecordHolder holder) {
        HOLDERS.put(folder(name), holder);
    }

    /** Nobody asks for that set any more. */
    public static void forget(String name) {
        HOLDERS.remove(folder(name));
    }

    /**
     * Who holds a set; null where it lies in files.
     *
     * @throws ConfigException if it is held, and not in this process
     */
    public static @Nullable RecordHolder of(String folder) {
        if (!isHeld(folder)) {
            return null;
        }
        RecordHolder holder = HOLDERS.get(folder);
        ConfigException.check(
                holder != null,
                "%s: these rows are held by the program that trains on them, and it has ended:"
                        + " train with it again",
                folder);
        return holder;
    }
}
