package dev.medley.data.token;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;

/**
 * Learns which pairs of bytes are joined: of all pairs within words the most frequent one, again
 * and again (Sennrich, Haddow, Birch 2016). Of equally frequent pairs the one of lower tokens comes
 * first, so that a text always gives the same vocabulary.
 *
 * <p>Cost: a pass over the text, then for each merge the words that have its pair. Memory: the
 * first {@value #MOST_WORDS} different words.
 */
public final class BytePairTrainer {
    private static final int MOST_WORDS = 1_000_000;
    private static final int LEAST_COUNT = 2;

    private final WordFinder finder = new WordFinder(List.of());
    private final Map<String, Integer> index = new HashMap<>();
    private final List<int[]> words = new ArrayList<>();
    private final List<Long> counts = new ArrayList<>();

    private final List<String> vocabulary = new ArrayList<>();
    private final int[] ofByte = new int[ByteAlphabet.SIZE];
    private final Map<Long, Pair> pairs = new HashMap<>();
    private final PriorityQueue<Entry> queue =
            new PriorityQueue<>(
                    Comparator.comparingLong((Entry e) -> -e.count).thenComparingLong(e -> e.key));

    /** Occurrences of a pair, and words that have it or had it. */
    private static final class Pair {
        private long count;
        private final Set<Integer> words = new HashSet<>();
    }

    /** A pair as it was counted when it was put. */
    private record Entry(long key, long count) {}

    /** Nothing seen; the first tokens are the bytes, in the order of their characters. */
    public BytePairTrainer() {
        Map<Character, Integer> byCharacter = new TreeMap<>();
        for (int b = 0; b < ByteAlphabet.SIZE; b++) {
            byCharacter.put(ByteAlphabet.character(b), b);
        }
        byCharacter.forEach(
                (character, value) -> {
                    ofByte[value] = vocabulary.size();
                    vocabulary.add(character.toString());
                });
    }

    /** Counts the words of a text that is cut where {@link #settled} says. */
    public void add(CharSequence text) {
        finder.each(text, (word, isSpecial) -> count(word));
    }

    /** As {@link Tokenizer#settled}. */
    public int settled(CharSequence text) {
        return finder.settled(text);
    }

    private void count(String word) {
        Integer known = index.get(word);
        if (known != null) {
            counts.set(known, counts.get(known) + 1);
        } else if (words.size() < MOST_WORDS) {
            index.put(word, words.size());
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            int[] tokens = new int[bytes.length];
            Arrays.setAll(tokens, i -> ofByte[Byte.toUnsignedInt(bytes[i])]);
            words.add(tokens);
            counts.add(1L);
        }
    }

    /**
     * A vocabulary of at most {@code size} tokens, of which 256 are the bytes; fewer where no pair
     * is left that occurs twice.
     */
    public Tokens learn(int size) {
        for (int w = 0; w < words.size(); w++) {
            addPairs(w, words.get(w), counts.get(w));
        }
        pairs.forEach((key, pair) -> queue.add(new Entry(key, pair.count)));
        List<String> merges = new ArrayList<>();
        while (vocabulary.size() < size) {
            Entry best = queue.poll();
            if (best == null || best.count < LEAST_COUNT) {
                break;
            }
            Pair pair = pairs.get(best.key);
            if (pair == null || pair.count != best.count) {
                continue; // It was counted again since.
            }
            int left = (int) (best.key >> Integer.SIZE);
            int right = (int) best.key;
            merges.add(vocabulary.get(left) + " " + vocabulary.get(right));
            vocabulary.add(vocabulary.get(left) + vocabulary.get(right));
            merge(pair, left, right, vocabulary.size() - 1);
        }
        return Tokens.ofPairs(vocabulary, merges);
    }

    private void merge(Pair pair, int left, int right, int joined) {
        Set<Long> touched = new HashSet<>();
        for (int w : List.copyOf(pair.words)) {
            int[] before = words.get(w);
            int[] after = replaced(before, left, right, joined);
            if (after.length == before.length) {
                continue;
            }
            words.set(w, after);
            touched.addAll(addPairs(w, before, -counts.get(w)));
            touched.addAll(addPairs(w, after, counts.get(w)));
        }
        pairs.remove(BytePairTokenizer.key(left, right));
        for (long key : touched) {
            Pair changed = pairs.get(key);
            if (changed != null) {
                queue.add(new Entry(key, changed.count));
            }
        }
    }

    private Set<Long> addPairs(int word, int[] tokens, long count) {
        Set<Long> keys = new HashSet<>();
        for (int i = 0; i + 1 < tokens.length; i++) {
            long key = BytePairTokenizer.key(tokens[i], tokens[i + 1]);
            Pair pair = pairs.computeIfAbsent(key, any -> new Pair());
            pair.count += count;
            pair.words.add(word);
            keys.add(key);
        }
        return keys;
    }

    private static int[] replaced(int[] tokens, int left, int right, int joined) {
        int[] result = new int[tokens.length];
        int length = 0;
        for (int i = 0; i < tokens.length; i++) {
            boolean isPair = i + 1 < tokens.length && tokens[i] == left && tokens[i + 1] == right;
            result[length++] = isPair ? joined : tokens[i];
            i += isPair ? 1 : 0;
        }
        return Arrays.copyOf(result, length);
    }
}
