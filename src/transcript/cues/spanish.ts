import type { LanguageCues } from './language.ts';

export const SPANISH: LanguageCues = {
  correction: {
    openings: [
      /^no(?=\s*[,.;:!]|\s*$| (?:es|era|eso|así|uses|hagas|toques|cambies|borres|pongas|quiero|quería|me refer|lo (?:hagas|cambies|toques)))(?!,? (?:gracias|hay problema|te preocupes))/i,
      /^(?:espera|para|alto)(?=\s*[,.!]|\s*$)/i,
      /^así no\b/i,
    ],
    plain: [
      /^(?:incorrecto|equivocado|mal(?=\s*[,.!]))/i,
      /\b(?:eso|esto) (?:todavía |sigue )?(?:está (?:mal|incorrecto|equivocado)|no (?:es(?! (?:todo|problema|urgente))|está bien|era))/i,
      /\bno (?:era|es) (?:eso|así|lo que)\b/i,
      /\b(?:te (?:dije|pedí|había dicho)|quería decir|me refería a|yo no (?:dije|pedí))/i,
      /\b(?:te olvidaste|olvidaste|te equivocaste|has olvidado|rompiste|ignoraste|no (?:leíste|has leído|entendiste))/i,
    ],
    phrases: [
      /\b(?:sigue (?:sin (?:funcionar|ir|salir)|fallando|mal|igual|roto)|todavía (?:falla|no funciona)|(?:eso|esto|así|todavía|aún|pero|aún así) no funciona|^no funciona)/i,
      /\b(?:deshaz|revierte|deshacer) (?:eso|esto|lo|el|los|tus|ese)\b|\bvuelve a (?:como estaba|dejarlo)\b/i,
      /\b(?:usa|utiliza|pon|haz|escribe|ejecuta|llama)\b[^.?]*\b(?:en (?:vez|lugar) de)\b/i,
      /\b(?:deberías haber|no deberías|tendrías que haber|debería ser\b[^.?]*,? no)\b/i,
      /\b(?:es|está) demasiado (?:largo|corto|lento|complicado|grande|pequeño)/i,
    ],
  },
  acceptance: [
    /^\W*(?:ok|vale|bien|muy bien|perfecto|genial|gracias|sí|estupendo|excelente|de acuerdo|listo)(?![\p{L}])(?!,? pero\b)/iu,
  ],
  standingWish: [
    /\b(?:a partir de ahora|de ahora en adelante|en (?:el futuro|adelante),? (?:usa|haz|no|por favor|siempre|nunca)|la próxima vez|recuerda que|recuerda siempre|como norma)/i,
    /\bsiempre (?:usa|utiliza|haz|escribe|pon|ejecuta|corre|comprueba|pregunta|responde|que (?:hagas|uses|escribas)|debes|tienes que|hay que)/i,
    /\b(?:usa|utiliza|haz|escribe|pon|ejecuta|comprueba|pregunta|responde|quiero que)\b[^.?]{0,30}\bsiempre\b/i,
    /\bnunca (?:uses|hagas|escribas|pongas|ejecutes|borres|toques|cambies|llames|debes|vuelvas|subas)/i,
    /\b(?:prefiero (?:que|usar|el|la|los|las)|por defecto,? (?:usa|haz|escribe))/i,
  ],
  courseChange: [
    /\b(?:me equivoqué|mi error|fue un error mío|otro enfoque|un enfoque (?:diferente|distinto)|eso no funcionó|probemos (?:otra|de otra))/i,
  ],
  concession: [
    /^\W{0,4}(?:(?:sí|ah)?,? ?(?:tienes|tiene) (?:toda la )?razón|perdón|lo siento|disculpa|mi error|buen punto)/i,
  ],
};
