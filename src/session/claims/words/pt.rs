//! Portuguese.

use super::Role::{
    self, After, All, And, At, Be, But, Elsewhere, Except, Expected, Fail, Failures, Filler, Fine, Fixed, Goal, Good, If, Makes, Might,
    Name, No, Not, Now, Number, Of, Old, Part, Pass, Past, Per, Plan, Run, Says, Since, That, They, Thing, To, Trouble, Undone, Verify,
    Warnings, Was, Well, Who, Whole,
};
use crate::shell::gates::Gate::{Build, Format, Lint, Test, Typecheck};

pub(super) const WORDS: &super::Words = &[
    (Role::Steps, "passos de verificação, etapas de verificação"),
    (Role::Remaining, "restantes"),
    (Role::Left, "faltam, restam, por corrigir"),
    (Role::Percent, "por cento"),
    (Role::Else, "todo o resto, o restante, restante"),
    (
        Role::Gate(Test),
        "testes, suíte, suite, suíte de testes, suite de testes, bateria de testes, conjunto de testes, testes unitários, cada teste",
    ),
    (Name(Test), "teste"),
    (Role::Gate(Lint), "análise estática, verificação de lint"),
    (Role::Gate(Format), "formatação, verificação de formatação, checagem de formatação"),
    (Role::Gate(Typecheck), "verificação de tipos, checagem de tipos, tipagem, verificação de tipo"),
    (Role::Gate(Build), "compilação, builds, build de produção, construção"),
    (Name(Typecheck), "tipos, tipo"),
    (Role::Checks, "verificações, checagens, validações, checks de qualidade"),
    (Role::Everything, "tudo"),
    (All, "todos, todas, ambos, ambas, cada, totalidade"),
    (Whole, "toda, todo, inteira, inteiro, completa, completo"),
    (
        Part,
        "alguns, algumas, maioria, novos, novas, novo, nova, outros, outras, outro, outra, estes, estas, esses, essas, meus, minhas, \
         primeiros, metade, quase, afetados, modificados, adicionados, apenas, só, somente, vários, poucos, muitos, resto",
    ),
    (
        Filler,
        "você pode mesclar, pode mesclar, pode fazer o merge, pronto para merge, o, a, os, as, um, uma, nossos, também, de novo, \
         novamente, unitários, de integração, existentes, corretamente, sem exceção, por completo, localmente, já, pronto, feito, \
         concluído, finalmente, além disso, aqui, resultado, resultados, resumo, verificado, confirmado, assim, continuam, continua, \
         no total, total, como antes, completamente, estado, status, perfeitamente",
    ),
    (They, "eles, elas"),
    (Thing, "código, projeto, programa, aplicação, aplicativo, pacote, crate, biblioteca"),
    (Who, "eu, nós, você, vocês"),
    (
        Be,
        "é, são, está, estão, fica, ficam, ficou, reporta, reportam, mostra, termina, terminam, terminou, finaliza, finalizou, roda, \
         rodam, rodou, rodaram, executa, executaram, retorna, encontra, foi, foram, saiu, ser, sendo",
    ),
    (Was, "estava, estavam, era, eram, tinha, tinham"),
    (Pass, "passam, passa, passou, passaram, aprovados, aprovadas, bem-sucedido, bem-sucedida, bem-sucedidos"),
    (
        Good,
        "não falha mais, não falham mais, já não falha, já não falham, verde, verdes, limpo, limpa, limpos, limpas, passando, \
         com sucesso, concluído com sucesso, concluída com sucesso, foram concluídos com sucesso, no verde",
    ),
    (Fine, "correto, correta, corretos, certo, bem, feliz"),
    (Makes(Build), "compila, se compila"),
    (Well, "normalmente, sem incidentes"),
    (
        No,
        "nenhum, nenhuma, zero, não há, sem, não reporta, não reportam, não mostra, não dá, não encontra, não tem, não houve, não aponta, \
         não acusa, não existem, nem um",
    ),
    (Trouble, "erro, erros, problema, problemas, violações, pendências"),
    (Warnings, "aviso, avisos, warnings, alertas"),
    (Failures, "falhas"),
    (
        Not,
        "às vezes, de forma intermitente, intermitentemente, de vez em quando, ocasionalmente, não, nunca, jamais, tampouco, nem, \
         nem todos, nem todas, impossível, nada, ninguém, não mais, sem ter",
    ),
    (
        Might,
        "deve, devem, deveria, deveriam, deverá, pode, podem, poderia, poderiam, vai, vão, vou, vamos, será, serão, seria, seriam, \
         provavelmente, talvez, espero, esperamos, tomara, aparentemente, parece, parecem, acho, acredito, suponho, precisa, precisam, \
         tem que, têm que, quero, deixe, deixe-me, por favor, em teoria, tentar, tento, faz, fazer",
    ),
    (If, "se, quando, assim que, uma vez que, até, até que, desde que, a menos que, enquanto não, logo que, onde, quantos, caso"),
    (
        Plan,
        "estranho que, curioso que, esquisito que, surpreendente que, para que, para, a fin de que, a fim de, certifique-se, garanta, \
         garantir, garante, assegurar, assegure, de modo que, de forma que, requer, exige, próximo passo, em seguida, aguarde, esperar",
    ),
    (Verify, "verificar, verifique, verifico, confirmar, confirme, checar, cheque, validar, valide, conferir, ver se"),
    (
        Goal,
        "critério de sucesso, critérios de sucesso, critério de aceitação, critério, critérios, condição, condições, pré-condição, \
         pré-condições, pré-requisito, pré-requisitos, requisito, lista de verificação, restante a fazer, falta, objetivo, objetivos, \
         pendente, pendentes, critérios de aceitação, próximos passos, plano, plano de testes, requisitos, a fazer, esperado, \
         resultado esperado, exemplo",
    ),
    (Says, "diz, dizem, disse, disseram, afirma, afirmam, menciona, indica, indicam, alega, relata, mencionou"),
    (Per, "segundo, de acordo com, conforme, como você disse"),
    (
        Past,
        "antes, anteriormente, previamente, inicialmente, ontem, no início, originalmente, antes da, antes do, antes de, até agora, \
         semana passada",
    ),
    (Now, "agora, atualmente, desde então, hoje"),
    (After, "depois de, após, depois que, depois dos"),
    (
        Role::Trial,
        "sem a minha mudança, sem minha mudança, sem as minhas mudanças, sem minhas mudanças, sem a mudança, sem a minha alteração, \
         sem minha alteração, sem as minhas alterações, sem minhas alterações, sem o meu patch, sem o patch, sem a correção, \
         sem o meu commit, revertida, revertido, revertidas, revertendo, desfeita, desfeito, git stash, bisect, commit pai, \
         commit anterior, isoladamente, em isolamento, individualmente, um por um, versão antiga, versão anterior",
    ),
    (
        Elsewhere,
        "main, master, develop, integração contínua, branch, ramo, manualmente, à mão, em produção, navegador, remoto, staging, upstream, \
         na sua máquina",
    ),
    (Fail, "falha, falham, falhou, falharam, falhando, falhos, falho, quebrado, quebrados, quebrada, quebram, quebra, vermelho, vermelhos"),
    (
        Undone,
        "ignorados, ignorado, ignoradas, pulados, pulado, puladas, sem verificar, bloqueado, bloqueados, bloqueada, não verificado, \
         não verificados, não testado, rodando, em execução, interrompido, desativados, inconclusivo, travou, expirou",
    ),
    (Run, "rodar, rodado, executar, executado, rodei, executei, testar, testado, verifiquei, confirmei"),
    (Old, "preexistentes, pré-existentes, preexistente, instáveis, instável, conhecidos, conhecidas, já existentes, intermitentes"),
    (Expected, "como esperado, conforme esperado, como previsto"),
    (Fixed, "corrigido, corrigi, corrige, corrigir, consertado, consertei, resolvido, resolve, resolvi, removi"),
    (Except, "exceto, salvo, menos, com exceção, fora, tirando"),
    (But, "mas, porém, contudo, entretanto, embora, no entanto, enquanto"),
    (And, "e, ou, assim como, bem como"),
    (Since, "porque, já que, pois, visto que"),
    (That, "que"),
    (Of, "de, do, da, dos, das"),
    (To, "ao, aos, à, por, através, como, uma mensagem"),
    (At, "em, no, na, nos, nas, com, sob, contra, via, sem alterações, devido, entre"),
    (Number(1), "um só"),
    (Number(2), "dois, duas"),
    (Number(3), "três"),
    (Number(4), "quatro"),
    (Number(5), "cinco"),
];
