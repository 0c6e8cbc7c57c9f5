#pragma once

#include <string_view>

/// The works the catalogue rests on, each written once. docs/levels.md lists them in full.
namespace isoscope::citation {

inline constexpr std::string_view adya_thesis =
    "Adya, Weak Consistency: A Generalized Theory and Optimistic Implementations for Distributed "
    "Transactions, PhD thesis, MIT 1999";
inline constexpr std::string_view adya_icde =
    "Adya, Liskov, O'Neil, Generalized Isolation Level Definitions, ICDE 2000";
inline constexpr std::string_view bailis_hat =
    "Bailis, Davidson, Fekete, Ghodsi, Hellerstein, Stoica, Highly Available Transactions: Virtues "
    "and Limitations, VLDB 2013";
inline constexpr std::string_view bailis_ramp =
    "Bailis, Fekete, Ghodsi, Hellerstein, Stoica, Scalable Atomic Visibility with RAMP "
    "Transactions, SIGMOD 2014";
inline constexpr std::string_view berenson =
    "Berenson, Bernstein, Gray, Melton, O'Neil, O'Neil, A Critique of ANSI SQL Isolation Levels, "
    "SIGMOD 1995";
inline constexpr std::string_view biswas_enea =
    "Biswas, Enea, On the Complexity of Checking Transactional Consistency, OOPSLA 2019";
inline constexpr std::string_view bouajjani =
    "Bouajjani, Enea, Roman-Calvo, On the Complexity of Checking Mixed Isolation Levels for SQL "
    "Transactions, CAV 2025";
inline constexpr std::string_view brzezinski =
    "Brzezinski, Sobaniec, Wawrzyniak, From Session Causality to Causal Consistency, PDP 2004";
inline constexpr std::string_view burckhardt =
    "Burckhardt, Leijen, Protzenko, Faehndrich, Global Sequence Protocol: A Robust Abstraction for "
    "Replicated Shared State, ECOOP 2015";
inline constexpr std::string_view cerone_concur =
    "Cerone, Bernardi, Gotsman, A Framework for Transactional Consistency Models with Atomic "
    "Visibility, CONCUR 2015";
inline constexpr std::string_view cerone_podc =
    "Cerone, Gotsman, Analysing Snapshot Isolation, PODC 2016";
inline constexpr std::string_view daudjee_si =
    "Daudjee, Salem, Lazy Database Replication with Snapshot Isolation, VLDB 2006";
inline constexpr std::string_view elle =
    "Kingsbury, Alvaro, Elle: Inferring Isolation Anomalies from Experimental Observations, VLDB "
    "2020";
inline constexpr std::string_view elle_program =
    "Elle, the program (github.com/jepsen-io/elle): its table of consistency models";
inline constexpr std::string_view papadimitriou =
    "Papadimitriou, The Serializability of Concurrent Database Updates, JACM 1979";
inline constexpr std::string_view plume =
    "Liu, Gu, Wei, Basin, Plume: Efficient and Complete Black-Box Checking of Weak Isolation "
    "Levels, OOPSLA 2024";
inline constexpr std::string_view sovran =
    "Sovran, Power, Aguilera, Li, Transactional Storage for Geo-Replicated Systems, SOSP 2011";
inline constexpr std::string_view terry =
    "Terry, Demers, Petersen, Spreitzer, Theimer, Welch, Session Guarantees for Weakly Consistent "
    "Replicated Data, PDIS 1994";

}  // namespace isoscope::citation
