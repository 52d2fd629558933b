package dev.medley.data.text;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.shard.BlockLayout;
import dev.medley.data.shard.Ingested;
import dev.medley.data.shard.ShardFile;
import dev.medley.data.shard.ShardWriter;
import dev.medley.data.shard.Workplace;
import dev.medley.data.token.BytePairTrainer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Converts text to one file of tokens: the training text, then the validation text. Bytes are read
 * once; characters twice, since the vocabulary comes first. Memory is bounded by the vocabulary.
 *
 * <p>A validation split of a text is always its tail: windows drawn at random would overlap the
 * training windows.
 */
public final class TextIngest {
    private static final String FILE = "tokens.bin";

    private final DataSpec spec;
    private final Workplace place;
    private final List<String> sentences = new ArrayList<>();

    /** For the text that {@code spec} describes. */
    public TextIngest(DataSpec spec, Workplace place) {
        this.spec = spec;
        this.place = place;
    }

    /** Fits the vocabulary and writes tokens; both splits are windows of the same file. */
    public Ingested ingest(List<Path> train, List<Path> validation) throws IOException {
        requireTail();
        if (spec.text().unit() == TextUnit.BPE) {
            TextEncoding learnt = bytePairs(train, validation.isEmpty());
            return ingestWith(learnt, TokenCode.of(learnt), train, validation);
        }
        Alphabet alphabet = new Alphabet();
        long cut = -1;
        if (spec.text().unit() == TextUnit.CHARACTERS) {
            TextReader reader = new TextReader(TextUnit.CHARACTERS, place.progress());
            reader.read(train, alphabet::add);
            long trainTokens = alphabet.count();
            reader.read(validation, alphabet::add);
            cut = cut(trainTokens, !validation.isEmpty());
        }
        TextEncoding encoding = encoding(alphabet, cut);
        return ingestWith(encoding, TokenCode.of(encoding), train, validation);
    }

    /**
     * Writes tokens of a vocabulary that was fitted before; the splits are those that {@link
     * #ingest} would make.
     */
    public Ingested ingestAs(TextEncoding encoding, List<Path> train, List<Path> validation)
            throws IOException {
        requireTail();
        TokenCode code = TokenCode.of(encoding);
        Ingested ingested = ingestWith(encoding, code, train, validation);
        return code.unknown() == 0 ? ingested : ingested.noting(unknown(encoding, code));
    }

    private static String unknown(TextEncoding encoding, TokenCode code) {
        return String.format(
                Locale.ROOT,
                "%,d characters are unknown to the model: all are read as its '%s' (U+%04X)",
                code.unknown(),
                encoding.vocabulary().get(code.unknownToken()),
                encoding.vocabulary().get(code.unknownToken()).codePointAt(0));
    }

    private void requireTail() {
        check(
                spec.split().kind() != SplitKind.STRATIFIED,
                "data.split.kind=stratified: a text has no column to stratify by; leave it out, its"
                        + " tail is kept for validation");
    }

    private Ingested ingestWith(
            TextEncoding encoding, TokenCode code, List<Path> train, List<Path> validation)
            throws IOException {
        long trainTokens = write(train, validation, encoding.unit(), code);
        long all = place.budget().usedBytes() / code.bytes();
        int files = train.size() + validation.size();
        return finish(encoding, code, cut(trainTokens, !validation.isEmpty()), all, files);
    }

    /** Tokens of new text in windows of {@code encoding}, all of them for validation. */
    public Ingested encode(TextEncoding encoding, List<Path> files) throws IOException {
        TokenCode code = TokenCode.of(encoding);
        write(files, List.of(), encoding.unit(), code);
        long all = place.budget().usedBytes() / code.bytes();
        Ingested encoded = finish(encoding, code, 0, all, files.size());
        return code.unknown() == 0 ? encoded : encoded.warning(unknown(encoding, code));
    }

    private long cut(long trainTokens, boolean validationGiven) {
        return validationGiven
                ? trainTokens
                : (long) (trainTokens * (1 - spec.split().validationFraction()));
    }

    /** Pairs of the text that is trained on; its length is not known before it was read. */
    private TextEncoding bytePairs(List<Path> train, boolean isCut) {
        TextReader reader = new TextReader(TextUnit.BPE, place.progress());
        long[] length = {0};
        reader.read(train, (values, count) -> length[0] += count);
        long[] left = {cut(length[0], !isCut)};
        BytePairTrainer trainer = new BytePairTrainer();
        Passage passage = new Passage();
        reader.read(
                train,
                (values, count) -> {
                    passage.add(values, (int) Math.min(count, left[0]));
                    left[0] -= Math.min(count, left[0]);
                    trainer.add(passage.settled(trainer::settled));
                });
        trainer.add(passage.rest());
        return TextEncoding.of(trainer.learn(spec.text().vocabulary()), spec.text().context());
    }

    private TextEncoding encoding(Alphabet alphabet, long cut) {
        TextSpec text = spec.text();
        if (text.unit() == TextUnit.BYTES) {
            return new TextEncoding(text.unit(), text.context(), List.of());
        }
        List<String> vocabulary = alphabet.before(cut);
        if (alphabet.hasMoreThan(cut)) {
            vocabulary.remove(TextEncoding.UNKNOWN);
            vocabulary.add(TextEncoding.UNKNOWN);
            sentences.add(
                    "the validation text has characters that the training text has not: they share"
                            + " one token");
        }
        return new TextEncoding(text.unit(), text.context(), vocabulary);
    }

    /** Writes all tokens; returns how many of them are of {@code first}. */
    private long write(List<Path> first, List<Path> second, TextUnit unit, TokenCode code)
            throws IOException {
        TextReader reader = new TextReader(unit, place.progress());
        try (ShardWriter writer = new ShardWriter(place.file(FILE), place.budget())) {
            TextReader.Sink sink = (values, count) -> code.put(values, count, writer);
            reader.read(first, sink);
            code.end(writer);
            long tokens = writer.bytes() / code.bytes();
            reader.read(second, sink);
            code.end(writer);
            return tokens;
        }
    }

    private Ingested finish(
            TextEncoding encoding, TokenCode code, long cut, long all, int fileCount) {
        int context = encoding.context();
        int stride = spec.text().stride();
        long trainWindows = cut == 0 ? 0 : windows("training", cut, context, stride);
        long tail = all - cut;
        long tailWindows = tail == 0 ? 0 : windows("validation", tail, context, context);
        check(all > 0, "the text is empty: %s", spec.train());
        sentences.add(
                0,
                String.format(
                        Locale.ROOT,
                        "text: %,d %s in %d file%s, %d different tokens; %,d windows of %d to train"
                                + " (one every %d), %,d to validate%s",
                        all,
                        switch (encoding.unit()) {
                            case BYTES -> "bytes";
                            case CHARACTERS -> "characters";
                            case BPE -> "tokens";
                        },
                        fileCount,
                        fileCount == 1 ? "" : "s",
                        encoding.vocabularySize(),
                        trainWindows,
                        context,
                        stride,
                        tailWindows,
                        spec.validation().isEmpty() && tail > 0 && cut > 0
                                ? " (the tail of the text)"
                                : ""));
        return new Ingested(
                encoding,
                file(code, 0, stride, context, trainWindows),
                file(code, cut, context, context, tailWindows),
                new Ingested.Findings(0, true, List.of(), sentences));
    }

    private static long windows(String which, long tokens, int context, int stride) {
        check(
                tokens > context,
                "the %s text has %,d tokens, fewer than one window of data.text.context=%d and the"
                        + " token after it: use more text or a shorter context",
                which,
                tokens,
                context);
        return (tokens - context - 1) / stride + 1;
    }

    private static ShardFile file(
            TokenCode code, long firstToken, int stride, int context, long windows) {
        int strideBytes = stride * code.bytes();
        return new ShardFile(
                FILE,
                firstToken * code.bytes(),
                strideBytes,
                (context + 1) * code.bytes(),
                BlockLayout.of(windows, strideBytes));
    }
}
