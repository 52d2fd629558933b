package dev.medley.trees;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Leaves the first rounds of an ensemble alone, in the bytes that XGBoost writes (UBJSON): nothing
 * is made of the trees but a copy.
 */
final class EnsembleCut {
    private static final String MODEL = "/learner/gradient_booster/model";
    private static final String COUNT = MODEL + "/gbtree_model_param/num_trees";
    private static final String ROUNDS = MODEL + "/iteration_indptr";
    private static final String OF_TREES = MODEL + "/tree_info";
    private static final String TREES = MODEL + "/trees";

    /** Nothing that lies in an array is looked for by its path. */
    private static final String WITHIN = COUNT + "/within an array";

    private final ByteBuffer in;
    private final Map<String, int[]> places = new HashMap<>();

    /** The head of an array. */
    private record Head(int type, long count, int end) {}

    private EnsembleCut(byte[] ensemble) {
        this.in = ByteBuffer.wrap(ensemble);
    }

    /** The ensemble of so many rounds at most. */
    static byte[] of(byte[] ensemble, int rounds) {
        return new EnsembleCut(ensemble).cut(rounds);
    }

    private byte[] cut(int rounds) {
        skip("");
        int trees = treesOf(rounds);
        ByteBuffer out = ByteBuffer.allocate(in.capacity() + Long.BYTES);
        int at = 0;
        for (String path : List.of(COUNT, ROUNDS, OF_TREES, TREES)) { // As they lie: by name.
            int[] place = place(path);
            out.put(in.array(), at, place[0] - at);
            if (path.equals(COUNT)) {
                byte[] text = Integer.toString(trees).getBytes(StandardCharsets.UTF_8);
                out.put((byte) 'S').put((byte) 'L').putLong(text.length).put(text);
            } else {
                shorten(path, path.equals(ROUNDS) ? rounds + 1 : trees, out);
            }
            at = place[1];
        }
        out.put(in.array(), at, in.capacity() - at);
        byte[] bytes = new byte[out.position()];
        out.flip().get(bytes);
        return bytes;
    }

    private void shorten(String path, int count, ByteBuffer out) {
        Head head = head(path);
        skip(count);
        int from = place(path)[0];
        int counted = head.end() - Long.BYTES;
        out.put(in.array(), from, counted - from).putLong(count);
        out.put(in.array(), head.end(), in.position() - head.end());
    }

    /** How many trees the first rounds have: the numbers before each round are written. */
    private int treesOf(int rounds) {
        Head unused = head(ROUNDS);
        skip(rounds);
        int type = in.get();
        return switch (type) {
            case 'i' -> in.get();
            case 'I' -> in.getShort();
            case 'l' -> in.getInt();
            default -> throw new TreeException("a number of trees of the type " + (char) type);
        };
    }

    private void skip(int values) {
        for (int i = 0; i < values; i++) {
            skip(WITHIN);
        }
    }

    /** Where a value begins and ends. */
    private int[] place(String path) {
        int[] place = places.get(path);
        if (place == null) {
            throw new TreeException("there is no " + path + " in the trees");
        }
        return place;
    }

    private Head head(String path) {
        in.position(place(path)[0] + 1);
        return head();
    }

    /** XGBoost writes how many there are before all arrays, as numbers of 64 bits. */
    private Head head() {
        int type = 0;
        if (in.get(in.position()) == '$') {
            in.get();
            type = in.get();
        }
        if (in.get() != '#' || in.get() != 'L') {
            throw new TreeException("the trees are not written as XGBoost 3.4 does");
        }
        long count = in.getLong();
        return new Head(type, count, in.position());
    }

    private void skip(String path) {
        int from = in.position();
        int type = in.get();
        switch (type) {
            case '{' -> {
                while (in.get(in.position()) != '}') {
                    String key = text();
                    skip(path.length() < COUNT.length() ? path + '/' + key : path);
                }
                in.get();
            }
            case '[' -> {
                Head head = head();
                if (head.type() != 0) {
                    in.position(in.position() + Math.toIntExact(head.count() * width(head.type())));
                }
                for (long i = 0; head.type() == 0 && i < head.count(); i++) {
                    skip(WITHIN);
                }
            }
            case 'S' -> text();
            case 'T', 'F', 'Z' -> {}
            default -> in.position(in.position() + width(type));
        }
        places.put(path, new int[] {from, in.position()});
    }

    private String text() {
        if (in.get() != 'L') {
            throw new TreeException("the trees are not written as XGBoost 3.4 does");
        }
        byte[] text = new byte[Math.toIntExact(in.getLong())];
        in.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private static int width(int type) {
        return switch (type) {
            case 'i', 'U' -> Byte.BYTES;
            case 'I' -> Short.BYTES;
            case 'l', 'd' -> Integer.BYTES;
            case 'L', 'D' -> Long.BYTES;
            default -> throw new TreeException("a value of the type " + (char) type);
        };
    }
}
