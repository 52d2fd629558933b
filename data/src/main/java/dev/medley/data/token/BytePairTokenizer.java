package dev.medley.data.token;

import static dev.medley.base.ConfigException.check;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.IntConsumer;

/**
 * Joins the bytes of each word pair by pair, in the order in which pairs were learnt (Sennrich,
 * Haddow, Birch 2016). Over bytes, as GPT-2 does it. Cost: n log n for a word of n bytes; frequent
 * words are remembered.
 */
final class BytePairTokenizer implements Tokenizer {
    private static final int MOST_REMEMBERED = 1 << 16;
    private static final int LONGEST_REMEMBERED = 32;

    /** A pair joined, and how early it was learnt. */
    private record Merge(int rank, int joined) {}

    /** A pair that may be joined: its left token lies at a place of the word. */
    private record Candidate(int rank, int at, int left, int right, int joined)
            implements Comparable<Candidate> {
        @Override
        public int compareTo(Candidate other) {
            return rank != other.rank
                    ? Integer.compare(rank, other.rank)
                    : Integer.compare(at, other.at);
        }
    }

    private final List<String> vocabulary;
    private final Map<String, Integer> index = new HashMap<>();
    private final int[] ofByte = new int[ByteAlphabet.SIZE];
    private final Map<Long, Merge> merges = new HashMap<>();
    private final Map<String, int[]> remembered = new HashMap<>();
    private final WordFinder words;

    BytePairTokenizer(Tokens tokens) {
        vocabulary = tokens.vocabulary();
        for (int i = 0; i < vocabulary.size(); i++) {
            index.put(vocabulary.get(i), i);
        }
        for (int b = 0; b < ofByte.length; b++) {
            ofByte[b] = known(Character.toString(ByteAlphabet.character(b)));
        }
        for (int rank = 0; rank < tokens.merges().size(); rank++) {
            String pair = tokens.merges().get(rank);
            int space = pair.indexOf(' ');
            check(space > 0, "merge %d of the tokenizer is no pair: \"%s\"", rank + 1, pair);
            String left = pair.substring(0, space);
            String right = pair.substring(space + 1);
            merges.putIfAbsent(
                    key(known(left), known(right)), new Merge(rank, known(left + right)));
        }
        words = new WordFinder(tokens.special());
    }

    private int known(String token) {
        int found = index.getOrDefault(token, -1);
        check(found >= 0, "the tokenizer's vocabulary has no \"%s\", which it needs", token);
        return found;
    }

    static long key(int left, int right) {
        return (long) left << Integer.SIZE | right;
    }

    @Override
    public void encode(CharSequence text, IntConsumer tokens) {
        words.each(
                text,
                (word, isSpecial) -> {
                    if (isSpecial) {
                        tokens.accept(known(word));
                        return;
                    }
                    for (int token : pieces(word)) {
                        tokens.accept(token);
                    }
                });
    }

    @Override
    public int settled(CharSequence text) {
        return words.settled(text);
    }

    private int[] pieces(String word) {
        int[] found = remembered.get(word);
        if (found == null) {
            found = joined(word.getBytes(StandardCharsets.UTF_8));
            if (remembered.size() < MOST_REMEMBERED && word.length() <= LONGEST_REMEMBERED) {
                remembered.put(word, found);
            }
        }
        return found;
    }

    private int[] joined(byte[] bytes) {
        int[] token = new int[bytes.length];
        int[] next = new int[bytes.length];
        int[] last = new int[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            token[i] = ofByte[Byte.toUnsignedInt(bytes[i])];
            next[i] = i + 1;
            last[i] = i - 1;
        }
        PriorityQueue<Candidate> open = new PriorityQueue<>();
        for (int i = 0; i + 1 < bytes.length; i++) {
            offer(open, token, i, i + 1);
        }
        int count = bytes.length;
        for (Candidate c = open.poll(); c != null; c = open.poll()) {
            int right = next[c.at];
            if (token[c.at] != c.left || right >= bytes.length || token[right] != c.right) {
                continue; // One of them has been joined with another since.
            }
            token[c.at] = c.joined;
            token[right] = -1;
            next[c.at] = next[right];
            count--;
            if (next[c.at] < bytes.length) {
                last[next[c.at]] = c.at;
                offer(open, token, c.at, next[c.at]);
            }
            if (last[c.at] >= 0) {
                offer(open, token, last[c.at], c.at);
            }
        }
        int[] pieces = new int[count];
        for (int i = 0, at = 0; i < count; i++, at = next[at]) {
            pieces[i] = token[at];
        }
        return pieces;
    }

    private void offer(PriorityQueue<Candidate> open, int[] token, int at, int right) {
        Merge merge = merges.get(key(token[at], token[right]));
        if (merge != null) {
            open.add(new Candidate(merge.rank, at, token[at], token[right], merge.joined));
        }
    }

    /** Bytes that are not UTF-8 become U+FFFD. */
    @Override
    public String decode(long[] tokens) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (long token : tokens) {
            String text = vocabulary.get((int) token);
            boolean isPairs = text.chars().allMatch(c -> ByteAlphabet.value((char) c) >= 0);
            if (isPairs) {
                text.chars().forEach(c -> bytes.write(ByteAlphabet.value((char) c)));
            } else {
                bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
