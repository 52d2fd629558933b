package dev.medley.connect.postgres;

import dev.medley.connect.table.ColumnType;

/** Lists the binary forms of PostgreSQL's values that are decoded; others are read as text. */
enum WireForm {
    BOOL(ColumnType.BOOLEAN),
    INT2(ColumnType.INTEGER),
    INT4(ColumnType.INTEGER),
    INT8(ColumnType.INTEGER),
    FLOAT4(ColumnType.REAL),
    FLOAT8(ColumnType.REAL),
    NUMERIC(ColumnType.DECIMAL),
    TEXT(ColumnType.TEXT),
    /** A version byte before the text. */
    JSONB(ColumnType.TEXT),
    UUID(ColumnType.TEXT),
    DATE(ColumnType.DATE),
    TIMESTAMP(ColumnType.DATETIME),
    TIMESTAMPTZ(ColumnType.INSTANT),
    BYTEA(ColumnType.BYTES),
    /** No form of its own: the query casts it to text. */
    CAST_TO_TEXT(ColumnType.TEXT);

    private final ColumnType type;

    WireForm(ColumnType type) {
        this.type = type;
    }

    ColumnType type() {
        return type;
    }

    /** By the number that a base type has in every PostgreSQL (pg_type.dat). */
    static WireForm ofType(long oid, boolean isEnum) {
        if (isEnum) {
            return TEXT;
        }
        return switch ((int) oid) {
            case 16 -> BOOL;
            case 21 -> INT2;
            case 23 -> INT4;
            case 20 -> INT8;
            case 700 -> FLOAT4;
            case 701 -> FLOAT8;
            case 1700 -> NUMERIC;
            case 25, 1042, 1043, 19, 114 -> TEXT;
            case 3802 -> JSONB;
            case 2950 -> UUID;
            case 1082 -> DATE;
            case 1114 -> TIMESTAMP;
            case 1184 -> TIMESTAMPTZ;
            case 17 -> BYTEA;
            default -> CAST_TO_TEXT;
        };
    }

    /** Bits, digits or characters at most, from the modifier of the type; 0 where there is none. */
    int size(long oid, int modifier) {
        return switch (this) {
            case INT2 -> 16;
            case INT4, FLOAT4 -> 32;
            case INT8, FLOAT8 -> 64;
            case NUMERIC -> modifier < 0 ? 0 : (modifier - 4) >> 16 & 0xFFFF;
            case TEXT -> (oid == 1042 || oid == 1043) && modifier >= 4 ? modifier - 4 : 0;
            case BOOL, JSONB, UUID, DATE, TIMESTAMP, TIMESTAMPTZ, BYTEA, CAST_TO_TEXT -> 0;
        };
    }

    /** Digits behind the point, which PostgreSQL 15 allows to be negative. */
    int scale(int modifier) {
        return this == NUMERIC && modifier >= 0 ? (((modifier - 4) & 0x7FF) ^ 0x400) - 0x400 : 0;
    }
}
